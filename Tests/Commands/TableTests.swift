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
