import OrderedJSON
import TerminalView
import Testing

/// What the screen shows of a call.
@Suite struct CardDocumentTests {
    private static func shown(_ card: JSON, _ features: Features = Features(), preview: JSON? = nil) -> String {
        var stage = Stage(features: features, cards: [card])
        stage.size = TerminalSize(columns: 100, rows: 60)
        if let preview { stage.tell(.preview(requestID: "r_1", preview)) }
        return stage.text
    }

    @Test(arguments: [
        // A command: its lines, the other members of the input, Claude's description.
        (Made.bash("r_1", "a\nb"), ["│ a\n│ b\n", "Claude says: Run it", "for session: Bash(npm test:*)"]),
        (
            Made.call("Bash", ["command": "ls", "timeout": 5000, "dangerouslyDisableSandbox": true]),
            ["│ ls\n", "timeout: 5000", "dangerouslyDisableSandbox: true"]
        ),
        (Made.call("Bash", ["command": 5]), ["command: 5"]), (Made.call("Bash", "odd"), ["value: odd"]),
        (
            Made.call(
                "Edit", ["file_path": "/p/a.py", "old_string": "a\nb", "new_string": "a\nc", "replace_all": true]),
            ["│ /p/a.py\n", "  a\n- b\n+ c\n", "replace_all: true"]
        ),
        (
            Made.call(
                "MultiEdit",
                [
                    "file_path": "/p/a.py",
                    "edits": [["old_string": "a", "new_string": "b"], ["old_string": "c", "new_string": "d"]],
                ]),
            ["@@ change 1 of 2 @@\n- a\n+ b\n", "@@ change 2 of 2 @@\n- c\n+ d\n"]
        ),
        (
            Made.call("Write", ["file_path": "/p/a", "content": "x\ny"]),
            ["│ /p/a\n+ x\n+ y\nno line feed behind this line\n"]
        ),
        (Made.call("Write", ["file_path": "/p/a", "content": "x\n"]), ["│ /p/a\n+ x\n\n"]),
        (
            Made.call("Edit", ["file_path": "/p/a", "old_string": "x\n", "new_string": "x"]),
            ["- x\n+ x\nno line feed behind this line\n"]
        ),
        (
            Made.call("NotebookEdit", ["notebook_path": "/p/n.ipynb", "new_source": "x", "cell_id": "c1"]),
            ["│ /p/n.ipynb\n+ x\n", "cell_id: c1"]
        ),
        (
            Made.call("WebFetch", ["url": "https://docs.org@evil.com:8080/docs.org", "prompt": "read"]),
            ["host evil.com\n│ https://docs.org@evil.com:8080/docs.org\n", "prompt: read"]
        ),
        (Made.call("ExitPlanMode", ["plan": "# Plan\n- x"]), ["\n  # Plan\n  - x\n"]),
        (
            Made.call("mcp__db__q", ["sql": "a\nb", "n": 5, "list": [1, ["k": "v"]], "e": [:], "u": .null]),
            ["\n  sql:\n    │ a\n    │ b\n  n: 5\n  list:\n    - 1\n    -\n      k: v\n  e: {}\n  u: null\n"]
        ),
        (Made.call("mcp__db__q", [:]), ["(no input)"]),
        (Made.call("Task", ["a": 1], more: ["agent_id": "x", "agent_type": "Explore"]), ["subagent Explore"]),
        (Made.bash(more: ["unverified": true]), ["unverified: any process"]),
        (Made.bash(more: ["terminal_prompt": true]), ["Claude's own dialog is open"]),
        (Made.bash(more: ["rules_note": "Too large."]), ["rules: Too large."]),
        (Made.bash(more: ["permission_mode": "acceptEdits"]), ["mode: acceptEdits"]),
        (Made.bash("r_1", "x\u{200B}\u{202E}y"), ["2 hidden characters", #"│ x\u{200B}\u{202E}y"#]),
        (Made.bash("r_1", "echo שלום"), ["right-to-left letters", "│ echo שלום"]),
        (Made.call("m", ["a\u{1B}]0;x": "b"]), ["1 hidden character,", #"a\u{001B}]0;x: b"#]),
    ])
    func isWrittenOut(_ card: JSON, _ parts: [String]) {
        let text = Self.shown(card)
        for part in parts { #expect(text.contains(part), "\(text)") }
    }

    @Test func aPreviewTakesThePlaceOfTheTexts() {
        let card = Made.call(
            "Edit", ["file_path": "/p/a", "old_string": "OLD", "new_string": "NEW", "replace_all": true])
        let lines: JSON = [["op": " ", "text": "def"], ["op": "-", "text": "a OLD"], ["op": "+", "text": "a NEW"]]
        let diff: JSON = ["kind": "diff", "hunks": [["old_start": 7, "new_start": 8, "lines": lines]], "more": 0]
        let text = Self.shown(card, Features(previews: true), preview: diff)
        #expect(text.contains("@@ -7 +8 @@\n  def\n- a OLD\n+ a NEW\n"))
        #expect(text.contains("replace_all: true") && !text.contains("- OLD"))
        let ends: JSON = [["op": "-", "text": "end"], ["op": "+", "text": "end", "no_newline": true]]
        let end: JSON = ["kind": "diff", "hunks": [["old_start": 7, "new_start": 7, "lines": ends]], "more": 0]
        let ending = Self.shown(card, Features(previews: true), preview: end)
        #expect(ending.contains("- end\n+ end\nno line feed behind this line\n"))
    }

    @Test(
        arguments: [
            ["kind": "diff", "hunks": [], "more": 3],
            ["kind": "diff", "hunks": [["lines": [["op": "?", "text": "x"]]]]],
            ["kind": "diff", "hunks": [["lines": [["op": "+", "text": "x", "length": 20000]]]]], ["kind": "odd"], [:],
            ["kind": "diff", "hunks": [["lines": []]]],
        ] as [JSON])
    func aPreviewThatIsNotWholeShowsTheTexts(_ preview: JSON) {
        let card = Made.call("Edit", ["file_path": "/p/a", "old_string": "OLD", "new_string": "NEW"])
        #expect(Self.shown(card, Features(previews: true), preview: preview).contains("- OLD\n+ NEW\n"))
    }

    @Test func aPreviewThatWasRefusedSaysWhy() {
        let card = Made.call("Write", ["file_path": "/p/a", "content": "NEW"])
        let text = Self.shown(card, Features(previews: true), preview: ["kind": "text", "reason": "a link"])
        #expect(text.contains("not compared with the file: a link") && text.contains("+ NEW"))
    }

    @Test func aPlanIsShownByItsTree() {
        let link: JSON = ["type": "link", "url": "http://e/", "children": [["type": "text", "text": "here"]]]
        let code: JSON = ["type": "code", "text": "x y"]
        let items: JSON = [
            ["type": "item", "children": [["type": "paragraph", "children": [["type": "text", "text": "one"]]]]],
            ["type": "item", "children": [["type": "paragraph", "children": [link, ["type": "softbreak"], code]]]],
        ]
        let document: JSON = [
            "type": "document",
            "children": [
                ["type": "heading", "level": 1, "children": [["type": "text", "text": "Plan"]]],
                ["type": "list", "ordered": true, "start": 3, "children": items],
                ["type": "code_block", "text": "a\nb\n"],
                [
                    "type": "block_quote",
                    "children": [["type": "paragraph", "children": [["type": "text", "text": "q"]]]],
                ],
                ["type": "thematic_break"],
            ],
        ]
        let card = Made.call("ExitPlanMode", ["plan": "RAW"])
        let text = Self.shown(card, Features(previews: true), preview: ["kind": "plan", "document": document])
        let shown = "\n  Plan\n  3. one\n  4. here <http://e/> `x y`\n  │ a\n  │ b\n  > q\n  ---\n"
        #expect(text.contains(shown), "\(text)")
        #expect(!text.contains("RAW"))
    }
}
