import Text

/// The text as one word of a POSIX shell, whatever is in it.
package func shellQuoted(_ text: String) -> String {
    "'" + text.pieces(at: "'").joined(separator: "'\\''") + "'"
}
