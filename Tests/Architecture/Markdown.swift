import Testing

/// A cell of a table.
struct Cell {
    let text: String

    /// What stands between backticks.
    var code: [String] { text.matches(of: /`([^`]+)`/).map { String($0.1) } }
}

enum Markdown {
    /// The rows of the first table whose head begins with this word, without the head.
    static func table(in path: String, headed head: String) throws -> [[Cell]] {
        let lines = try Repository.lines(path)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(head) |") }, "\(path) has no table of \(head)")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").map { Cell(text: trimmed($0)) }
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
