import TerminalView
import Testing

@Suite struct LineEditorTests {
    @Test(
        arguments: [
            ([], "ab", 2), ([.character("c")], "abc", 3), ([.left, .character("x")], "axb", 2), ([.backspace], "a", 1),
            ([.home, .delete], "b", 0), ([.home, .right, .control("k")], "a", 1),
            ([.control("a"), .control("e")], "ab", 2),
            ([.control("u")], "", 0), ([.character(" "), .character("c"), .control("w")], "ab ", 3),
            ([.paste("x\r\ny\u{1B}[A\rz")], "abx\ny[A\nz", 9), ([.control("j")], "ab\n", 3),
            ([.left, .left, .left, .backspace], "ab", 0), ([.end, .delete, .right], "ab", 2),
        ] as [([Key], String, Int)])
    func edits(_ keys: [Key], _ text: String, _ cursor: Int) {
        var editor = LineEditor("ab")
        for key in keys {
            let isTaken = editor.handle(key)
            #expect(isTaken)
        }
        #expect(editor.text == text)
        #expect(editor.cursor == cursor)
    }

    @Test(arguments: [Key.up, .escape, .enter, .tab, .alt("a"), .unknown, .control("c")])
    func leavesOtherKeysAlone(_ key: Key) {
        var editor = LineEditor("ab")
        let isTaken = editor.handle(key)
        #expect(!isTaken)
        #expect(editor.text == "ab")
    }

    @Test func hasACeiling() {
        var editor = LineEditor()
        _ = editor.handle(.paste(String(repeating: "x", count: 300_000)))
        _ = editor.handle(.character("y"))
        #expect(editor.text.count == 100_000)
    }
}
