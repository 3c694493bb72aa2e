import OrderedJSON
import TerminalView
import Testing

/// Nothing is allowed before the last row of the call has been on the screen.
@Suite struct SeenTests {
    private static let script = String(repeating: "echo x\n", count: 60) + "rm y"

    private static let options: [JSON] = (1...30).map { ["label": .string("choice \($0)"), "description": "x"] }

    /// Calls of every kind that one screen does not show whole, and the text of the last row.
    static let calls: [(String, JSON, String)] = [
        ("Bash", ["command": .string(script)], "rm y"),
        ("Write", ["file_path": "/p/a", "content": .string(script)], "rm y"),
        ("Edit", ["file_path": "/p/a", "old_string": .string(script), "new_string": "z"], "+ z"),
        (
            "WebFetch", ["url": .string("http://a/" + String(repeating: "x", count: 4000) + "/end"), "prompt": "p"],
            "/end"
        ),
        ("ExitPlanMode", ["plan": .string(script)], "rm y"),
        ("Agent", ["description": "d", "prompt": .string(script), "subagent_type": "s"], "rm y"),
        ("mcp__a__b", ["first": .string(script), "last": "the end"], "the end"),
    ]

    @Test(arguments: calls)
    func noKeyAllowsACallWhoseEndWasNotShown(tool: String, input: JSON, end: String) {
        var stage = Stage(cards: [Made.call(tool, input, more: ["patterns": ["Some(pattern)"]])])
        for key in "aasasyy" { #expect(stage.answer(.character(key)).response == nil) }
        #expect(stage.text.contains("more lines not shown yet"))
        #expect(!stage.text.contains(" a allow") && stage.text.contains("space read on"))
        var pages = 0
        while !stage.text.contains(end), pages < 20 {
            #expect(stage.answer(.character("a")).response == nil)
            stage.press(.character(" "))
            pages += 1
        }
        #expect(stage.text.contains(" a allow"))
        #expect(stage.answer(.character("a")).response?["decision"] == "allow")
    }

    @Test func answersAreNotSentBeforeTheWholeFormWasShown() {
        let questions: [JSON] = ["one?", "two?"].map {
            ["question": .string($0), "header": "h", "multiSelect": false, "options": .array(Self.options)]
        }
        var stage = Stage(cards: [Made.call("AskUserQuestion", ["questions": .array(questions)])])
        stage.press(.character("1"))
        stage.press(.character("1"))
        #expect(stage.answer(.enter).response == nil)
        #expect(stage.text.contains("more lines not shown yet"))
        for _ in 0..<10 { stage.press(.character(" ")) }
        #expect(stage.answer(.enter).response?["decision"] == "allow")
    }

    /// A jump to the end shows the end only.
    @Test func rowsBetweenCountToo() {
        var stage = Stage(cards: [Made.bash("r_1", Self.script)])
        stage.press(.end)
        #expect(stage.text.contains("rm y"))
        #expect(stage.answer(.character("a")).response == nil)
        stage.press(.home)
        for _ in 0..<10 { stage.press(.character(" ")) }
        #expect(stage.answer(.character("a")).response != nil)
    }

    /// Keys that come at once, as from a held key, are handled before anything is drawn.
    @Test func noPageIsSkippedByKeysThatComeAtOnce() {
        var stage = Stage(cards: [Made.bash("r_1", Self.script)])
        for _ in 0..<10 {
            stage.tell(.keys([Key](repeating: .character(" "), count: 5)))
            stage.draw()
        }
        #expect(stage.text.contains("rm y"))
        #expect(stage.answer(.character("a")).response != nil)
    }

    @Test func whatWasSeenStaysSeenInAnotherWidth() {
        var stage = Stage(cards: [Made.bash("r_1", Self.script)])
        for _ in 0..<10 { stage.press(.character(" ")) }
        stage.size = TerminalSize(columns: 60, rows: 20)
        #expect(stage.answer(.character("a")).response != nil)
    }

    /// The word was asked for another script than the one that would now be allowed.
    @Test func aCardThatChangesUnderAPromptIsReadAgain() {
        let demanded: JSONObject = ["confirm": ["prompt": "npm"]]
        var stage = Stage(cards: [Made.bash(more: demanded)])
        stage.press(.character("a"))
        stage.type("npm")
        stage.tell(.event("pty_permission", Made.bash("r_1", "npm test\n" + Self.script, opening: 2, more: demanded)))
        #expect(stage.answer(.enter).response == nil)
        #expect(stage.text.contains("more lines not shown yet"))
    }

    @Test func anEditedCommandIsShownWithTheRestOfItsInput() {
        let input: JSON = ["command": "npm test", "dangerouslyDisableSandbox": true, "env": .string(Self.script)]
        var stage = Stage(hasEditor: true, cards: [Made.call("Bash", input)])
        stage.press(.character("e"))
        stage.tell(.edited(requestID: "r_1", text: "npm run test\n"))
        #expect(stage.text.contains("dangerouslyDisableSandbox: true"))
        #expect(stage.answer(.character("y")).response == nil)
        for _ in 0..<10 { stage.press(.character(" ")) }
        #expect(stage.answer(.character("y")).response?["updated_input"]?["command"] == "npm run test")
    }

    @Test func theWholeDiffMustHaveBeenShown() {
        var stage = Stage(hasEditor: true, cards: [Made.bash()])
        stage.press(.character("e"))
        stage.tell(.edited(requestID: "r_1", text: Self.script))
        #expect(stage.answer(.character("y")).response == nil)
        for _ in 0..<10 { stage.press(.character(" ")) }
        #expect(stage.answer(.character("y")).response != nil)
    }
}
