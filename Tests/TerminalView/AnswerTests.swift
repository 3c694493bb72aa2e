import OrderedJSON
import TerminalView
import Testing

@Suite struct AnswerTests {
    @Test(
        arguments: [
            ("a", ["request_id": "r_1", "decision": "allow"]), ("d", ["request_id": "r_1", "decision": "deny"]),
            ("p", ["request_id": "r_1", "decision": "ask"]),
        ] as [(Character, JSON)])
    func oneKey(_ key: Character, _ params: JSON) {
        var stage = Stage(cards: [Made.bash()])
        #expect(stage.press(.character(key)).response == params)
        #expect(stage.answer(.character(key)).response == nil, "it is on its way")
    }

    @Test func aSessionIsAllowedAfterItsPatternsWereShown() {
        var stage = Stage(cards: [Made.bash()])
        #expect(stage.press(.character("s")) == [])
        #expect(stage.text.contains("Bash(npm test:*)"))
        #expect(stage.press(.character("y")) == [], "the list has just come")
        #expect(
            stage.answer(.character("y")).response
                == [
                    "request_id": "r_1", "decision": "allow", "scope": "session", "patterns": ["Bash(npm test:*)"],
                ])
    }

    @Test func aSessionMayBeRefusedAfterAll() {
        var stage = Stage(cards: [Made.bash()])
        stage.press(.character("s"))
        stage.answer(.character("n"))
        #expect(stage.answer(.character("a")).response == ["request_id": "r_1", "decision": "allow"])
    }

    @Test func withoutPatternsThereIsNoSession() {
        var stage = Stage(cards: [Made.bash(patterns: [])])
        #expect(stage.press(.character("s")) == [])
        #expect(stage.text.contains("no safe pattern"))
        #expect(stage.answer(.character("y")) == [])
    }

    @Test func patternsAreLeftOutWhereTheDaemonCanDoThat() {
        let card = Made.bash(patterns: ["Bash(ls:*)", "Bash(git status:*)"])
        var stage = Stage(features: Features(takesPatterns: true), cards: [card])
        stage.press(.character("s"))
        stage.press(.character("1"))
        stage.press(.character("2"))
        let response = stage.answer(.character("y")).response
        #expect(response?["patterns"] == ["Bash(git status:*)"])
        var older = Stage(cards: [card])
        older.press(.character("s"))
        older.press(.character("1"))
        #expect(older.text.contains("grants all of them or none"))
    }

    @Test func aDenialCarriesAMessage() {
        var stage = Stage(cards: [Made.bash()])
        stage.press(.character("m"))
        stage.type("not asd")
        #expect(
            stage.answer(.enter).response == ["request_id": "r_1", "decision": "deny", "message": "not asd"])
    }

    @Test func whileTextIsTypedACardMayEnd() {
        var stage = Stage(cards: [Made.bash("r_1"), Made.bash("r_2", seconds: 90)])
        stage.press(.character("m"))
        stage.type("no")
        stage.tell(.event("pty_permission_resolved", Made.end()))
        stage.type("adsa")
        stage.wait(10_000)
        stage.tell(.tick)
        #expect(stage.text.contains("noadsa"), "letters stay letters")
        #expect(stage.answer(.enter) == [])
        #expect(stage.text.contains("nothing done"))
    }

    @Test func anEditedCommandIsShownAsAChangeAndThenAllowed() {
        var stage = Stage(cards: [Made.bash()])
        stage.press(.character("e"))
        stage.type(" --all")
        #expect(stage.answer(.enter) == [])
        let text = stage.text
        #expect(text.contains("- npm test\n") && text.contains("+ npm test --all\n"))
        #expect(stage.press(.character("y")) == [])
        let response = stage.answer(.character("y")).response
        #expect(
            response
                == [
                    "request_id": "r_1", "decision": "allow",
                    "updated_input": ["command": "npm test --all", "description": "Run it"],
                ])
    }

    /// After an edit is given up, the call that an allow sends is the original one.
    @Test(arguments: [[Key.escape], [.character("n")], [.character("e"), .escape]])
    func anEditThatIsGivenUpLeavesTheCallAsItCame(_ keys: [Key]) {
        var stage = Stage(cards: [Made.bash()])
        stage.press(.character("e"))
        stage.type("x")
        stage.answer(.enter)
        for key in keys { stage.answer(key) }
        #expect(!stage.text.contains("npm testx"))
        #expect(stage.answer(.character("a")).response == ["request_id": "r_1", "decision": "allow"])
    }

    @Test func anExternalEditorGetsTheCommand() {
        var stage = Stage(hasEditor: true, cards: [Made.bash()])
        #expect(stage.press(.character("e")) == [.edit(requestID: "r_1", text: "npm test")])
        stage.tell(.edited(requestID: "r_1", text: "npm run test\n"))
        #expect(
            stage.answer(.character("y")).response?["updated_input"]
                == ["command": "npm run test", "description": "Run it"])
    }

    @Test(arguments: [nil, "", "npm test", "npm test\n"] as [String?])
    func anEditorThatChangesNothingDoesNothing(_ text: String?) {
        var stage = Stage(hasEditor: true, cards: [Made.bash()])
        stage.press(.character("e"))
        stage.tell(.edited(requestID: "r_1", text: text))
        #expect(stage.answer(.character("y")) == [])
    }

    @Test func anEditorThatReturnsTooLateDoesNothing() {
        var stage = Stage(hasEditor: true, cards: [Made.bash()])
        stage.press(.character("e"))
        stage.tell(.event("pty_permission_resolved", Made.end()))
        stage.tell(.edited(requestID: "r_1", text: "other"))
        #expect(stage.text.contains("ended meanwhile"))
        #expect(stage.answer(.character("y")).response == nil)
    }

    @Test func onlyCommandsAreEdited() {
        var stage = Stage(cards: [Made.call("WebFetch", ["url": "http://a/"])])
        #expect(stage.press(.character("e")) == [])
        #expect(stage.text.contains("only a command"))
    }

    @Test func aDemandedWordIsTyped() {
        let card = Made.bash(more: ["confirm": ["prompt": "npm"]])
        var stage = Stage(cards: [card])
        #expect(stage.press(.character("a")) == [])
        #expect(stage.text.contains("type npm and Enter") && stage.text.contains("to allow it, type: npm"))
        stage.type("npm")
        #expect(
            stage.answer(.enter).response == ["request_id": "r_1", "decision": "allow", "confirm": "npm"])
    }

    /// An edited command may need a confirming word that the original did not.
    @Test func aWordThatTheDaemonDemandsLaterIsTyped() {
        var stage = Stage(hasEditor: true, cards: [Made.bash()])
        stage.press(.character("e"))
        stage.tell(.edited(requestID: "r_1", text: "rm x"))
        stage.answer(.character("y"))
        let refusal = RPCFailure(
            message: "this call has to be confirmed", data: ["confirm": ["prompt": "rm"]])
        stage.tell(.answered(requestID: "r_1", .failure(refusal)))
        stage.type("rm")
        let response = stage.answer(.enter).response
        #expect(response?["confirm"] == "rm" && response?["updated_input"]?["command"] == "rm x")
    }

    /// The daemon cuts only its largest cards; the whole card is fetched.
    @Test func aCutCardCannotBeAllowed() {
        let cut = Made.bash(more: ["truncated": ["$.tool_input.command": 9_000_000]])
        var stage = Stage()
        #expect(stage.tell(.event("pty_permission", cut)).contains(.askWhole(requestID: "r_1")))
        for key in "ase" { #expect(stage.answer(.character(key)).response == nil) }
        stage.tell(.whole(requestID: "r_1", Made.bash()))
        stage.tell(.event("pty_permission", cut))
        #expect(stage.answer(.character("a")).response != nil, "the cut card does not replace the whole one")
    }

    @Test func aDenialNeedsNoReading() {
        var stage = Stage(cards: [Made.bash("r_1", String(repeating: "echo x\n", count: 60))])
        #expect(stage.press(.character("d")).response != nil)
    }
}
