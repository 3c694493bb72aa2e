import Commands
import Testing

@Suite struct TableTests {
    @Test func columnsAreAsWideAsTheirWidestCell() {
        let text = Table.text(["ID", "NAME", "LAST"], [["a", "phone", ""], ["long id", "é", "now"]])
        #expect(
            text == """
                ID       NAME   LAST
                a        phone
                long id  é      now

                """)
    }

    @Test func theWidestCellsAreCutWhereATerminalIsNarrow() {
        let rows = [["a", "/home/somebody/projects/shop", "now"], ["b", "/p", "yesterday"]]
        let text = Table.text(["ID", "PLACE", "LAST"], rows, columns: 28)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 28 })
        #expect(lines[1].hasPrefix("a   /home") && lines[1].hasSuffix("shop  now"))
        #expect(Table.text(["ID"], [["abcdefghijkl"]], columns: 1) == "ID\nabcdefghijkl\n", "ids are not cut")
    }

    /// What is cut to a few letters tells nothing, and times and ids are read whole or not at all.
    @Test func aRowHasSeveralLinesWhereCuttingIsNotEnough() {
        let header = ["ID", "PLACE", "SINCE", "MEANING"]
        let rows = [
            ["abcdefghij", "/home/somebody/projects/shop", "Fri 20 Nov 14:03", "who it is"], ["b", "/p", "now", ""],
            ["c", "/q", "now", "a sentence of more words than one line"],
        ]
        let text = Table.text(header, rows, columns: 28, cutting: ["PLACE"])
        #expect(
            text == """
                ID          PLACE
                    SINCE
                    MEANING
                abcdefghij  /home/so…ts/shop
                    Fri 20 Nov 14:03
                    who it is
                b           /p
                    now
                c           /q
                    now
                    a sentence of more words
                    than one line

                """)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 28 })
    }

    /// Of any table and any terminal of at least the widest cell that is not cut.
    @Test(arguments: 20...120) func noLineIsWiderThanTheTerminal(columns: Int) {
        let rows = (0..<4).map { row in (0..<7).map { String(repeating: "x", count: ($0 * 7 + row * 5) % 17) } }
        let text = Table.text(["A", "B", "C", "D", "E", "F", "G"], rows, columns: columns, cutting: ["B", "F"])
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(text)")
    }

    @Test func stylesAddNoWidth() {
        let text = Table.text(["A", "B"], [["x", "y"]]) { cell, isHeader in isHeader ? cell : "<\(cell)>" }
        #expect(text == "A  B\n<x>  <y>\n")
    }

    @Test(arguments: [
        ("plain", 100, "plain"),
        ("two\nlines\tand\u{1b}[31m", 100, "two⏎lines\\u{0009}and\\u{001B}[31m"),
        ("left\u{202e}right\u{200b}", 100, "left\\u{202E}right\\u{200B}"),
        ("abcdefghij", 10, "abcdefghij"),
        ("abcdefghijk", 10, "abcde…hijk"),
        (
            String(repeating: "a", count: 60) + "12345", 60,
            String(repeating: "a", count: 20) + "…(25 more)…"
                + String(repeating: "a", count: 15) + "12345"
        ),
    ])
    func foreignTextIsOnOneLine(text: String, limit: Int, shown: String) {
        #expect(text.shown(limit) == shown)
    }

    /// What counts is what is printed, not the characters: one of them may have any number of parts, and a hidden one is
    /// printed as its number.
    @Test(arguments: [
        (String(repeating: "a", count: 100), true), (String(repeating: "a", count: 101), false),
        (String(repeating: "\t", count: 12), true), (String(repeating: "\t", count: 13), false),
        ("e" + String(repeating: "\u{301}", count: 99), true), ("e" + String(repeating: "\u{301}", count: 100), false),
    ])
    func aTextOfWhichNothingIsLeftOutIsWhole(text: String, isWhole: Bool) {
        #expect(text.isShownWhole(100) == isWhole)
        #expect(text.shown(100).unicodeScalars.contains("…") != isWhole)
    }
}
