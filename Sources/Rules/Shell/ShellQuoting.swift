import Text

/// The text quoted as one word of a POSIX shell.
package func shellQuoted(_ text: String) -> String {
    "'" + text.pieces(at: "'").joined(separator: "'\\''") + "'"
}
