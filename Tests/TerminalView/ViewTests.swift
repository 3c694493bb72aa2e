import OrderedJSON
import TerminalView
import Testing

/// Views, panes, outcomes and the footer.
@Suite struct ViewTests {
    private static let rows = [
        ViewRow(time: "14:03:22", decision: "deny", words: "denied", text: "Bash  rm \u{1B}x", note: "by local")
    ]

    @Test(arguments: [("h", WatchView.history), ("r", .rules)] as [(Character, WatchView)])
    func aViewIsAskedForAndTakesTheCardsPlace(_ key: Character, _ view: WatchView) {
        var stage = Stage(cards: [Made.bash()])
        #expect(stage.press(.character(key)) == [.askView(view)])
        #expect(stage.text.contains("asking the daemon"))
        stage.tell(.view(view, Self.rows))
        let text = stage.text
        #expect(text.contains(" \(view.rawValue) ") && text.contains("14:03:22  denied"))
        #expect(text.contains(#"rm \u{001B}x"#) && !text.contains("│ npm test"))
        #expect(stage.answer(.character("a")).response == nil, "no key decides about a card that is hidden")
        #expect(stage.text.contains("│ npm test"))
        #expect(stage.answer(.character("a")).response != nil)
    }

    private static let rules = ["rule_a", "rule_b"].map { (id: String) in
        ViewRow(
            time: "14:03:22", decision: "allow", words: "allow", text: "Bash(\(id):*)", note: "by local", ruleID: id)
    }

    @Test func aRuleIsRevokedByItsNumberAndY() {
        var stage = Stage(cards: [Made.bash()])
        stage.press(.character("r"))
        stage.tell(.view(.rules, Self.rules))
        #expect(stage.text.contains("2  14:03:22  allow"))
        #expect(stage.press(.character("2")) == [] && stage.press(.character("2")) == [], "a held key asks")
        #expect(stage.text.contains("y revokes Bash(rule_b:*)"))
        #expect(stage.tell(.keys([.character("1"), .character("y")])) == [], "a paste is no answer")
        #expect(stage.press(.character("2")) == [])
        // The list has moved: the rule that was named is the one that goes.
        stage.tell(.view(.rules, Self.rules.reversed()))
        #expect(stage.press(.character("y")) == [.revoke(ruleID: "rule_b")])
        #expect(stage.tell(.revoked(.success(["rule": ["pattern": "Bash(rule_b:*)"]]))) == [.askView(.rules)])
        #expect(stage.text.contains("revoked: Bash(rule_b:*)"))
        #expect(stage.press(.character("1")) == [] && stage.press(.character("j")) == [])
        #expect(stage.press(.character("y")) == [], "another key in between")
        #expect(stage.text.contains("│ npm test"), "y alone leads back to the card, as any key")
    }

    @Test func noRuleIsRevokedOfflineOrByAnAgent() {
        var stage = Stage()
        stage.press(.character("r"))
        stage.tell(.view(.rules, Self.rules))
        stage.press(.character("1"))
        stage.tell(.lost("gone", retryAt: 1))
        #expect(stage.press(.character("y")) == [])
        var agent = Stage(features: Features(mayDecide: false))
        agent.press(.character("r"))
        agent.tell(.view(.rules, Self.rules))
        #expect(agent.press(.character("1")) == [] && agent.press(.character("y")) == [])
    }

    @Test func theHistoryGoesOnWhileItIsShown() {
        var stage = Stage(cards: [Made.bash("r_1"), Made.bash("r_2", "other", seconds: 90)])
        stage.press(.character("h"))
        stage.tell(.view(.history, []))
        #expect(stage.text.contains("Nothing has been decided yet"))
        #expect(stage.tell(.event("pty_permission_resolved", Made.end("r_2"))) == [.askView(.history)])
        #expect(stage.press(.character("r")) == [.askView(.rules)], "from one view to the other")
        stage.press(.escape)
        #expect(stage.press(.character("q")) == [.quit])
    }

    @Test func aRequestThatComesMeanwhileIsToldAndNotDecided() {
        var stage = Stage()
        stage.press(.character("h"))
        #expect(stage.tell(.event("pty_permission", Made.bash())).contains(.bell))
        #expect(stage.text.contains("1 waiting") && stage.text.contains("npm test"))
        #expect(stage.answer(.character("d")).response == nil)
        #expect(stage.press(.character("d")).response == nil, "it has just come into sight")
        #expect(stage.answer(.character("d")).response != nil)
    }

    @Test(arguments: [(119, false), (120, true), (200, true)])
    func fromACertainWidthTheListStandsBesideTheCard(_ columns: Int, _ isBeside: Bool) {
        let script = (1...60).map { "echo \($0)" }.joined(separator: "\n")
        var stage = Stage(cards: [Made.bash("r_1", script), Made.bash("r_2", "other", seconds: 90)])
        stage.size = TerminalSize(columns: columns, rows: 40)
        let lines = stage.draw()
        let first = lines.firstIndex { $0.contains("▸") }
        #expect((first.map { lines[$0].contains(" left ") } == true) == isBeside, "\(lines)")
        #expect((lines.first { $0.contains("other") }?.contains("for proj") == true) == isBeside)
        #expect(lines.count { $0.contains("│ echo") } > (isBeside ? 30 : 20))
        // What has to be seen before an allow is counted in the pane.
        #expect(stage.answer(.character("a")).response == nil)
        for _ in 0..<4 { stage.press(.character(" ")) }
        #expect(stage.answer(.character("a")).response != nil)
    }

    @Test(arguments: [("allow", "32"), ("deny", "31"), ("ask", "33")])
    func anOutcomeHasItsColour(_ decision: String, _ code: String) {
        var stage = Stage(cards: [Made.bash()])
        stage.tell(.event("pty_permission_resolved", Made.end("r_1", .string(decision))))
        var writer = FrameWriter(hasColor: true)
        let bytes = writer.bytes(for: stage.screen.frame(of: stage.model, size: stage.size, at: stage.now))
        #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[0;1;\(code)mENDED: "))
    }

    /// A key in the footer has its word at every width.
    @Test(arguments: [24, 30, 40, 60, 80, 100, 160])
    func theFooterKeepsItsWords(_ columns: Int) {
        var stage = Stage(cards: [Made.bash()])
        stage.size = TerminalSize(columns: columns, rows: 24)
        let keys = stage.draw().last ?? ""
        #expect(keys.contains(" a allow") && keys.contains("? help"))
        #expect(columns < 40 || keys.contains("d deny"))
        let words = keys.split(separator: " ")
        for (key, word) in [("s", "session"), ("m", "say"), ("j/k", "cards"), ("q", "quit")] where columns < 120 {
            guard let place = words.firstIndex(of: Substring(key)) else { continue }
            #expect(place + 1 < words.count && words[place + 1].hasPrefix(word), "\(keys)")
        }
    }

    @Test func aCardTellsItsContext() {
        let context: JSON = ["title": "Fix the tests", "prompt": "make it green", "last_words": "I run them first."]
        let more: JSONObject = [
            "context": context, "scope_words": "any `npm test …` in proj, until the session ends", "outside": true,
        ]
        var stage = Stage(cards: [Made.bash("r_1", more: more)])
        let text = stage.text
        #expect(text.contains(#"session 01234567, "Fix the tests""#) && text.contains("you asked: make it green"))
        #expect(text.contains("before it Claude said: I run them first."))
        #expect(text.contains("for session: any `npm test …`") && text.contains("as Bash(npm test:*)"))
        #expect(text.contains("!   it changes a file outside the project"))
        var untold = Stage(cards: [Made.bash("r_1", more: ["outside": .null])])
        #expect(untold.text.contains("!   cdev could not tell if it changes a file outside the project"))
        var older = Stage(cards: [Made.bash("r_1")])
        #expect(!older.text.contains("outside the project"))
    }

    /// In auto mode nothing is asked, and nothing else would say why no card comes.
    @Test func aSessionThatAsksNothingIsNamed() {
        let session: JSONObject = [
            "session_id": "0123456789abcdef", "cwd": "/home/u/proj", "root": "/home/u/proj", "state": "active",
            "permission_mode": "auto", "mode_note": "cdev asks about nothing there",
        ]
        let call: JSON = ["session_id": "0123456789abcdef", "permission_mode": "auto", "tool_name": "Bash"]
        var stage = Stage()
        #expect(stage.tell(.event("claude_hook_tool_start", call)) == [.askSessions])
        stage.tell(.sessions([.object(session)]))
        let note = "session 01234567 in proj: cdev asks about nothing there"
        #expect(stage.text.ranges(of: note).count == 2, "on the empty page and in the status line")
        #expect(stage.tell(.event("claude_hook_tool_start", call)) == [], "once for each session and mode")
        let usual: JSON = ["session_id": "0123456789abcdef", "permission_mode": "default", "tool_name": "Bash"]
        #expect(stage.tell(.event("claude_hook_tool_start", usual)) == [])
        stage.tell(.sessions([]))
        #expect(!stage.text.contains("  session 01234567"))
    }
}
