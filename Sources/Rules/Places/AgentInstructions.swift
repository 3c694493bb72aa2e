import Text

/// Finds what an agent, a command or a skill has Claude Code start: its settings, which stand between `---` at its beginning,
/// lines with `!`, and what stands behind a line like "```!". Where parsers may differ, more is taken.
struct AgentInstructions {
    private enum Place { case beginning, settings, text, inline, commands }

    private var place = Place.beginning
    private(set) var started: [UInt8] = []
    /// True where letters of the settings are escaped, so that they may name any file.
    private(set) var isEscaped = false

    init(_ text: String) {
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) { take(line) }
    }

    private mutating func take(_ line: Substring.UTF8View) {
        let plain = line.filter { $0 > 0x20 && !Self.mark.contains($0) }
        guard place != .beginning || !plain.isEmpty else { return }
        switch place {
        case .beginning where plain.starts(with: "---".utf8): place = .settings
        case .settings where plain.elementsEqual("---".utf8): place = .text
        case .beginning, .text: takeText(line)
        case .inline:
            add(line)
            endsInline(line)
        case .settings:
            add(line)
            isEscaped = isEscaped || Self.escapes.contains { line.firstPlace(of: $0.utf8) != nil }
        case .commands: add(line)
        }
    }

    private mutating func takeText(_ line: Substring.UTF8View) {
        place = .text
        guard line.contains(UInt8(ascii: "!")) else { return }
        add(line)
        if ["```", "~~~"].contains(where: { line.firstPlace(of: $0.utf8) != nil }) {
            place = .commands
        } else {
            endsInline(line)
        }
    }

    /// A command between backticks may have several lines.
    private mutating func endsInline(_ line: Substring.UTF8View) {
        let marks = line.count { $0 == UInt8(ascii: "`") }
        if marks % 2 == 1 { place = place == .inline ? .text : .inline }
    }

    private mutating func add(_ line: Substring.UTF8View) {
        started += Array(line) + [0x0A]
    }

    /// YAML reads them between double quotes.
    private static let escapes = ["\\x", "\\u", "\\U"]
    /// A mark of the byte order may stand before all.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
