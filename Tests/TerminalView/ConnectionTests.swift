import OrderedJSON
import TerminalView
import Testing

/// What the model does with the daemon's messages, and without a connection.
@Suite struct ConnectionTests {
    @Test func theSoonestDeadlineComesFirst() {
        var stage = Stage(cards: [
            Made.bash("r_2", "second", seconds: 50), Made.bash("r_3", "third", seconds: 60),
            Made.bash("r_1", "first", seconds: 40),
        ])
        let rows = stage.draw()[1...3]
        #expect(rows.map { $0.split(separator: " ").last.map(String.init) } == ["first", "second", "third"])
    }

    @Test func aNewRequestRings() {
        var stage = Stage()
        #expect(stage.tell(.event("pty_permission", Made.bash())).contains(.bell))
        #expect(!stage.tell(.event("pty_permission", Made.bash())).contains(.bell))
        #expect(stage.tell(.event("pty_permission", Made.bash("r_2"))).contains(.bell))
    }

    @Test func offlineTakesNoKeys() {
        var stage = Stage(cards: [Made.bash()])
        stage.tell(.lost("the daemon has stopped", retryAt: stage.now.uptime + 2000))
        #expect(stage.text.contains("OFFLINE, keys are off; next try in 2 s: the daemon has stopped"))
        #expect(stage.text.contains("npm test"))
        #expect(stage.answer(.character("a")) == [])
        #expect(stage.text.contains("offline: nothing done"))
    }

    @Test func afterwardsOnlyWhatIsStillOpenStands() {
        var stage = Stage(cards: [Made.bash("r_1"), Made.bash("r_2", "other", seconds: 90)])
        stage.tell(.lost("gone", retryAt: 0))
        let effects = stage.tell(
            .connected(Features(), cards: [Made.bash("r_2", "other", seconds: 90), Made.bash("r_3")]))
        #expect(effects.contains(.bell))
        #expect(stage.text.contains("2 waiting"))
        #expect(stage.text.contains("ENDED: ended while we were offline"))
        #expect(stage.answer(.character("a")).response == nil)
    }

    @Test func anAnswerThatWasLostOnTheWayCanBeGivenAgain() {
        var stage = Stage(cards: [Made.bash()])
        stage.press(.character("a"))
        stage.tell(.lost("gone", retryAt: 0))
        stage.tell(.connected(Features(), cards: [Made.bash()]))
        #expect(stage.text.contains("it was not taken"))
        #expect(stage.answer(.character("a")).response != nil)
    }

    @Test func anAnswerThatIsTakenBackIsSaid() {
        var stage = Stage()
        stage.tell(.event("pty_permission_resolved", Made.end("r_1", "pass", by: "lost", corrects: true)))
        #expect(stage.text.contains("corrected: "))
        #expect(stage.text.contains("left to Claude, as the connection to Claude was lost"))
    }

    /// A list made before a request ended may arrive after the report of its end.
    @Test func anEndIsNotUndoneByAnOlderList() {
        var stage = Stage()
        stage.tell(.lost("gone", retryAt: 0))
        stage.tell(.event("pty_permission_resolved", Made.end("r_1", opening: 1)))
        stage.tell(.connected(Features(), cards: [Made.bash("r_1")]))
        #expect(stage.text.contains("0 waiting"))
        stage.tell(.event("pty_permission", Made.bash("r_1", opening: 2)))
        #expect(stage.text.contains("1 waiting"))
    }

    @Test(arguments: [
        (
            ["decision": "deny", "resolved_by": "device phone"] as JSON,
            "too late, nothing done: it was denied by phone"
        ),
        (.null, "not taken: no such thing"),
    ])
    func aRefusedAnswerSaysWhy(_ data: JSON, _ text: String) {
        var stage = Stage(cards: [Made.bash()])
        stage.press(.character("a"))
        stage.tell(.answered(requestID: "r_1", .failure(RPCFailure(message: "no such thing", data: data))))
        #expect(stage.text.contains(text))
    }

    @Test func ourAnswerLeadsToTheNextCard() {
        var stage = Stage(cards: [Made.bash("r_1"), Made.bash("r_2", "other", seconds: 90)])
        stage.press(.character("s"))
        stage.answer(.character("y"))
        let rules: JSON = [["pattern": "Bash(npm test:*)"]]
        stage.tell(.answered(requestID: "r_1", .success(["decision": "allow", "rules": rules])))
        #expect(stage.text.contains("allowed, and for the session Bash(npm test:*): npm test"))
        #expect(stage.text.contains("▸") && stage.text.contains("│ other"))
    }

    @Test func insideClaudeCodeItOnlyLooks() {
        var stage = Stage(features: Features(mayDecide: false), cards: [Made.bash()])
        #expect(stage.text.contains("READ ONLY: inside an agent"))
        #expect(stage.answer(.character("a")) == [])
        #expect(stage.text.contains("inside an agent"))
        var later = Stage(cards: [Made.bash()])
        later.press(.character("a"))
        later.tell(.answered(requestID: "r_1", .failure(RPCFailure(message: "no", data: ["refused": "decide"]))))
        #expect(later.text.contains("READ ONLY"))
    }

    @Test func whoTriedToAnswerFromInsideIsTold() {
        var stage = Stage()
        #expect(stage.tell(.event("agent_refused", ["pid": 77, "method": "permission/respond"])) == [.bell])
        #expect(stage.text.contains("process 77 inside an agent tried permission/respond"))
    }

    @Test func theProjectIsTheSessionsRoot() {
        var stage = Stage(cards: [Made.bash()])
        #expect(stage.text.contains("for proj, session 01234567"))
        stage.tell(.sessions([["session_id": "0123456789abcdef", "root": "/home/u/house"]]))
        #expect(stage.text.contains("for house, session 01234567"))
    }

    @Test func aPreviewIsAskedForOnce() {
        let edit = Made.call("Edit", ["file_path": "/a", "old_string": "a", "new_string": "b"])
        var stage = Stage(features: Features(previews: true))
        #expect(stage.tell(.event("pty_permission", edit)).contains(.askPreview(requestID: "r_1")))
        #expect(!stage.tell(.event("pty_permission", Made.bash("r_2"))).contains(.askPreview(requestID: "r_1")))
        var older = Stage()
        #expect(!older.tell(.event("pty_permission", edit)).contains(.askPreview(requestID: "r_1")))
        var unverified = Stage(features: Features(previews: true))
        let doubtful = Made.call("Edit", ["file_path": "/a"], more: ["unverified": true])
        #expect(!unverified.tell(.event("pty_permission", doubtful)).contains(.askPreview(requestID: "r_1")))
    }

    @Test func whatTheDaemonCanDoIsReadFromItsOwnDescription() {
        let document: JSON = [
            "methods": [
                ["name": "permission/preview", "params": []],
                ["name": "permission/respond", "params": [["name": "decision"], ["name": "patterns"]]],
            ]
        ]
        #expect(Features(discovery: document, mayDecide: true) == Features(previews: true, takesPatterns: true))
        #expect(Features(discovery: [:], mayDecide: false) == Features(mayDecide: false))
    }

    @Test func qQuits() {
        var stage = Stage()
        #expect(stage.press(.character("q")) == [.quit])
    }

    @Test(arguments: [("c", WatchEffect.quit), ("l", .redraw), ("z", .suspend)] as [(Character, WatchEffect)])
    func controls(_ key: Character, _ effect: WatchEffect) {
        var stage = Stage(cards: [Made.bash()])
        #expect(stage.press(.control(key)) == [effect])
        stage.press(.character("m"))
        #expect(stage.press(.control(key)) == [effect])
    }
}
