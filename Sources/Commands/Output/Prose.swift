/// Text in lines of a given width.
enum Prose {
    /// The words in lines of at most `width` characters, unless a word is longer.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Rows of a name and what it means, the meanings below each other; below their names where there is no room beside.
    /// - Parameter beside: The least width of the names.
    static func definitions(_ rows: [(name: String, text: String)], beside: Int = 0, width: Int) -> String {
        let widest = rows.map(\.name.count).reduce(beside, max)
        let isBeside = width - widest - 4 >= leastBeside
        let indent = isBeside ? widest + 4 : 6
        let margin = String(repeating: " ", count: indent)
        return rows.map { row in
            let body = lines(row.text, width: width - indent).map { margin + $0 + "\n" }.joined()
            let name = "  " + row.name
            return isBeside ? name + body.dropFirst(name.count) : name + "\n" + body
        }.joined()
    }

    /// The least characters of a line that stands beside names.
    private static let leastBeside = 30
}
