import TerminalView
import Testing

@Suite struct ColumnsTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ﾊ", 1), ("Ａ", 2), ("한글", 4), ("🙂", 2),
        ("👍🏽", 4), ("🇩🇪", 4), ("❤\u{FE0F}", 2), ("✅", 2), ("→", 1), ("│", 1), ("א", 1),
    ])
    func areCounted(_ text: String, _ columns: Int) {
        #expect(text.columns == columns)
    }
}
