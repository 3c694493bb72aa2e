import OrderedJSON
import TerminalView
import Testing

/// The transcript beside the card, and in its place.
@Suite struct WatchTranscriptTests {
    private static let session = "0123456789abcdef"
    private static let items: [TranscriptItem] = [
        .prompt("please mend the roof", time: "14:03:22"), .said("I look at it first."),
        .call("Bash  ls", outcome: .init("3 lines, 20 bytes in 0.2 s")),
        .call("Bash  make", outcome: .init("failed: no rule", isError: true)),
    ]

    private static func stage(columns: Int = 80, rows: Int = 40, cards: [JSON] = [Made.bash()]) -> Stage {
        var stage = Stage(features: Features(transcripts: true), cards: cards)
        stage.size = TerminalSize(columns: columns, rows: rows)
        stage.draw()
        return stage
    }

    private static func page(_ items: [TranscriptItem] = items, unfinished: [TranscriptItem] = []) -> WatchEvent {
        .transcript(session: session, .page(items, unfinished: unfinished))
    }

    @Test func inAWideTerminalItStandsBelowTheListBesideTheCard() {
        var stage = Self.stage(columns: 140)
        #expect(stage.tell(.tick) == [.follow(session: Self.session)])
        #expect(stage.text.contains("── transcript 01234567 ") && stage.text.contains("asking the daemon"))
        stage.tell(Self.page(unfinished: [.call("Bash  npm test", outcome: nil)]))
        let text = stage.text
        for part in ["14:03:22", "> please mend the roof", "I look at it first.", "• Bash  ls", "failed: no rule"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(text.contains("• Bash  npm test") && text.contains("no result yet") && text.contains("│ npm test"))
        #expect(stage.tell(.tick) == [], "followed once")
        #expect(stage.answer(.character("a")).response != nil, "the card is decided as ever")
    }

    @Test func partsOfASubagentStandBehindABar() {
        var stage = Self.stage()
        stage.press(.character("t"))
        let call = TranscriptItem.call("Grep  needle", outcome: .init("1 line"))
        stage.tell(Self.page([.said("outside"), .inner(call)], unfinished: [.inner(.call("Read  a", outcome: nil))]))
        #expect(stage.text.contains("┆ • Grep  needle\n┆   1 line\n┆"))
        #expect(stage.text.contains("┆ • Read  a\n┆   no result yet") && stage.text.contains("\noutside"))
    }

    /// What is added comes at the end, and the card beside it stays as it is, so that a key still counts.
    @Test func itGoesOnAndNoKeyWaitsForThat() {
        var stage = Self.stage(columns: 140)
        stage.tell(.tick)
        stage.tell(Self.page())
        stage.settle()
        let lines = (1...90).map { TranscriptItem.said("line \($0)") }
        stage.tell(.transcript(session: Self.session, .more(lines, unfinished: [])))
        let text = stage.text
        #expect(text.contains("line 90") && !text.contains("please mend"))
        #expect(text.contains("▸") && text.contains("npm test"), "the list keeps its rows")
        #expect(stage.press(.character("a")).response != nil)
    }

    @Test(arguments: [(24, 10), (40, 15), (80, 24), (119, 40), (140, 40)])
    func aKeyShowsItInTheCardsPlace(_ columns: Int, _ rows: Int) {
        var stage = Self.stage(columns: columns, rows: rows)
        let before = stage.tell(.tick)
        #expect(before + stage.press(.character("t")) == [.follow(session: Self.session)])
        stage.tell(Self.page())
        #expect(stage.text.contains("transcript 01234567") && stage.text.contains("Bash  make"))
        #expect(!stage.text.contains("│ npm test"))
        #expect(stage.answer(.character("a")).response == nil, "no key decides about a card that is hidden")
        #expect(stage.text.contains("for proj, session"))
    }

    @Test func itScrollsAndFollowsOnlyAtItsEnd() {
        var stage = Self.stage(rows: 20)
        stage.press(.character("t"))
        func more(_ numbers: ClosedRange<Int>) -> WatchEvent {
            let lines = numbers.map { TranscriptItem.said("line \($0) of it") }
            return .transcript(session: Self.session, .more(lines, unfinished: []))
        }
        stage.tell(Self.page([]))
        stage.tell(more(1...30))
        #expect(stage.text.contains("line 30 of it"), "it begins at the end")
        stage.press(.character("k"))
        let read = stage.text
        stage.tell(more(31...40))
        #expect(!stage.text.contains("line 40 of it") && stage.text.contains("more below"))
        let top = read.split(separator: "\n").first { $0.contains("of it") }
        #expect(stage.text.split(separator: "\n").first { $0.contains("of it") } == top, "what is read stays")
        stage.press(.end)
        stage.tell(more(41...41))
        #expect(stage.text.contains("line 41 of it"))
        stage.press(.home)
        #expect(stage.text.contains("line 1 of it"))
        #expect(stage.press(.character("h")) == [.askView(.history), .follow(session: "")])
    }

    @Test func anotherCardBringsItsSession() {
        let other = Made.bash("r_2", "other", seconds: 90, more: ["session_id": "fedcba9876543210"])
        var stage = Self.stage(columns: 140, cards: [Made.bash(), other])
        stage.tell(.tick)
        stage.tell(Self.page())
        #expect(stage.press(.character("j")) == [.follow(session: "fedcba9876543210")])
        #expect(!stage.text.contains("please mend the roof"))
        stage.tell(Self.page())
        #expect(!stage.text.contains("please mend the roof"), "what comes late belongs to another session")
    }

    @Test func withoutACardItIsTheSessionThatWasActiveLast() {
        var stage = Self.stage(columns: 140, cards: [])
        #expect(stage.text.contains("No session runs that has a transcript."))
        func session(_ id: String, _ state: String, _ time: String) -> JSON {
            [
                "session_id": .string(id), "state": .string(state), "last_activity": .string(time),
                "transcript_path": "/t", "root": "/home/u/shop",
            ]
        }
        let effects = stage.tell(
            .sessions([
                session("a", "active", "2026-11-25T03:00:00Z"), session("b", "stale", "2026-11-25T04:00:00Z"),
                session("c", "ended", "2026-11-25T05:00:00Z"),
            ]))
        #expect(effects == [.follow(session: "b")])
        #expect(stage.text.contains("transcript b in shop"))
        // The session of a card that has ended goes on being shown.
        stage.tell(.event("pty_permission", Made.bash()))
        stage.tell(.event("pty_permission_resolved", Made.end()))
        stage.wait(3000)
        #expect(stage.tell(.tick) == [] && stage.text.contains("transcript 01234567"))
    }

    @Test func aSessionThatHasNoneIsAskedForAgainOnceItDoesSomething() {
        var stage = Self.stage(columns: 140)
        stage.tell(.tick)
        stage.tell(.transcript(session: Self.session, .missing))
        #expect(stage.text.contains("This session has no transcript yet."))
        let hook: JSON = ["session_id": .string(Self.session), "permission_mode": "default"]
        #expect(stage.tell(.event("claude_hook_stop", hook)) == [.follow(session: Self.session)])
        stage.tell(Self.page())
        #expect(stage.tell(.event("claude_hook_stop", hook)) == [] && stage.text.contains("please mend"))
        #expect(stage.tell(.event("claude_hook_stop", ["session_id": "another"])) == [])
    }

    @Test func afterALossItIsAskedForAnew() {
        var stage = Self.stage(columns: 140)
        stage.tell(.tick)
        stage.tell(Self.page())
        #expect(stage.tell(.lost("gone", retryAt: 1)) == [] && stage.text.contains("please mend"))
        let effects = stage.tell(.connected(Features(transcripts: true), cards: [Made.bash()]))
        #expect(effects.contains(.follow(session: Self.session)) && stage.text.contains("please mend"))
        stage.tell(Self.page([.said("anew")]))
        #expect(stage.text.contains("anew") && !stage.text.contains("please mend"))
    }

    @Test func nothingIsFollowedThatIsNotOnTheScreen() {
        var narrow = Self.stage()
        #expect(narrow.tell(.tick) == [])
        narrow.press(.character("t"))
        #expect(narrow.press(.escape) == [.follow(session: "")])
        var older = Stage(cards: [Made.bash()])
        older.size = TerminalSize(columns: 140, rows: 40)
        older.draw()
        #expect(older.tell(.tick) == [] && older.press(.character("t")) == [])
        #expect(older.text.contains("this daemon does not show transcripts"))
    }

    /// At every size, a frame has exactly the screen's rows, none is wider than the screen, and nothing of a transcript
    /// controls the terminal.
    @Test(arguments: [(300, 60), (140, 40), (120, 20), (120, 24), (119, 40), (40, 15), (24, 10)])
    func everyFrameFits(_ columns: Int, _ rows: Int) {
        let hostile = "\u{1B}[2J\u{9B}31m\u{7}\u{202E}x\r\n日本語🙂\t" + String(repeating: "長い", count: 90)
        let items: [TranscriptItem] = [
            .prompt(hostile, time: "now"), .said(hostile), .thought(hostile), .command(hostile), .note(hostile),
            .call(hostile, outcome: .init(hostile, isError: true, subagent: hostile)), .inner(.said(hostile)),
        ]
        for key in [Key.escape, .character("t")] {
            var stage = Self.stage(columns: columns, rows: rows)
            stage.press(key)
            stage.tell(.tick)
            stage.tell(Self.page(items, unfinished: items))
            let frame = stage.screen.frame(of: stage.model, size: stage.size, at: stage.now)
            #expect(frame.lines.count == rows && frame.lines.allSatisfy { $0.width <= columns })
            let scalars = frame.lines.flatMap { $0.text.unicodeScalars }
            #expect(!scalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E })
        }
    }
}
