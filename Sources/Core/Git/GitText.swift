import Text

/// Puts what git writes into words for people.
package enum GitText {
    /// Bytes of an output that are kept for people.
    private static let mostShown = 16 << 10
    private static let longestLine = 500

    /// The text, without passwords in addresses; of a long one its end.
    package static func plain(_ bytes: [UInt8]) -> String {
        let shown = bytes.count > mostShown ? bytes.suffix(mostShown) : bytes[...]
        let text = withoutPasswords(String(decoding: shown, as: UTF8.self))
        return bytes.count > mostShown ? "…\n" + text : text
    }

    /// Replaces what stands before `@` in the address of a machine by `…`.
    package static func withoutPasswords(_ text: String) -> String {
        var plain = ""
        var rest = text[...]
        while let mark = rest.firstPlace(of: "://") {
            plain += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...]
            let end = rest.utf8.firstIndex { "/ \t\n'\"".utf8.contains($0) } ?? rest.endIndex
            guard let at = rest[..<end].utf8.lastIndex(of: UInt8(ascii: "@")) else { continue }
            plain += "…"
            rest = rest[at...]
        }
        return plain + rest
    }

    /// The lines that git wrote itself, and no hook or other program that it ran.
    static func ownLines(of text: String) -> String {
        text.split(separator: "\n").filter { $0.hasPrefix("fatal: ") || $0.hasPrefix("error: ") }.joined(
            separator: "\n")
    }

    /// The line that says what went wrong: the first with `fatal:` or `error:`, else the last one.
    static func complaint(in text: String) -> String {
        let lines = text.split(separator: "\n")
        for mark in ["fatal: ", "error: "] {
            if let line = lines.first(where: { $0.hasPrefix(mark) }) {
                return String(line.dropFirst(mark.count).prefix(longestLine))
            }
        }
        return String(lines.last?.prefix(longestLine) ?? "")
    }
}
