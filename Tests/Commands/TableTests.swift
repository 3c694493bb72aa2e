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
}
