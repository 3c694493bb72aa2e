import OrderedJSON
import TerminalView
import Testing

@Suite struct CardReportTests {
    private static func lines(hasColor: Bool) throws -> [String] {
        let card = Made.call("Edit", ["file_path": "/p/a", "old_string": "a\u{1B}", "new_string": "b"])
        let report = CardReport(card: card, preview: nil, width: 80, charset: .utf8, hasColor: hasColor)
        return try #require(report).lines
    }

    @Test func linesHaveNoCodesUnlessTheyAreWanted() throws {
        let lines = try Self.lines(hasColor: false)
        #expect(lines.contains("- a\\u{001B}") && lines.contains("+ b"))
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test func aChangeIsColouredAndForeignTextStillEscaped() throws {
        let lines = try Self.lines(hasColor: true)
        #expect(lines.contains { $0.hasPrefix("\u{1B}[0;32m+ ") && $0.hasSuffix("b\u{1B}[0m") })
        #expect(lines.contains { $0.contains("31m- ") && $0.contains("\\u{001B}") })
        #expect(lines.allSatisfy { $0.ranges(of: "\u{1B}").count == $0.ranges(of: "\u{1B}[0").count })
    }
}
