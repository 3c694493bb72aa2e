import Text

/// Parses the rows that ship with the program.
enum ShippedCommands {
    static let rows = parse(text)

    /// Parses lines of five columns separated by ` | `: keys separated by `, `; marks (the parser's kind, `reads`,
    /// `local`); options; operands; reason. Each key makes a row. Lines that cannot be parsed are left out.
    static func parse(_ text: String) -> [CommandRow] {
        text.pieces(at: "\n").flatMap { line in (try? rows(line: line)) ?? [] }
    }

    static func rows(line: Substring) throws(CommandRowError) -> [CommandRow] {
        let columns = columns(of: line)
        guard columns.count == 5 else {
            throw CommandRowError(key: String(line), message: "has \(columns.count) columns instead of 5")
        }
        let marks = columns[1].pieces(at: " ")
        let parsers = marks.compactMap { ProgramParser(rawValue: String($0)) }
        guard parsers.count == 1, marks.allSatisfy({ isMark($0) }) else {
            throw CommandRowError(
                key: columns[0], message: "wants one parser's kind, and `reads` and `local` if so: \(columns[1])")
        }
        var rows: [CommandRow] = []
        for key in columns[0].pieces(at: ",") {
            rows.append(
                try CommandRow(
                    key: String(key.drop { $0 == " " }), parser: parsers[0], reads: marks.contains("reads"),
                    isLocal: marks.contains("local"), options: columns[2], operands: columns[3], reason: columns[4],
                    isShipped: true))
        }
        return rows
    }

    private static func isMark(_ text: Substring) -> Bool {
        text == "reads" || text == "local" || ProgramParser(rawValue: String(text)) != nil
    }

    static func columns(ofLines text: String) -> [[String]] {
        text.pieces(at: "\n").map { columns(of: $0) }
    }

    /// Splits a line at bars that are words of their own. A bar inside a word is part of a choice.
    private static func columns(of line: Substring) -> [String] {
        var columns: [String] = [""]
        var words = line.pieces(at: " ")[...]
        while let word = words.popFirst() {
            if word == "|" {
                columns.append("")
            } else {
                columns[columns.count - 1] += columns[columns.count - 1].isEmpty ? String(word) : " " + word
            }
        }
        return columns
    }
}
