import OrderedJSON
import TerminalView
import Testing

/// A key counts only for a card that has been on the screen for half a second.
@Suite struct ArmingTests {
    @Test(arguments: [(0, false), (499, false), (500, true), (5000, true)] as [(Int64, Bool)])
    func aKeyCountsHalfASecondAfterItsCardWasDrawn(_ milliseconds: Int64, _ counts: Bool) {
        var stage = Stage()
        stage.tell(.event("pty_permission", Made.bash()))
        stage.draw()
        stage.wait(milliseconds)
        #expect((stage.press(.character("a")).response != nil) == counts)
    }

    /// The delay starts when the card is drawn, not when it arrives.
    @Test func aCardThatWasNotDrawnCannotBeAnswered() {
        var stage = Stage()
        stage.tell(.event("pty_permission", Made.bash()))
        stage.wait(5000)
        #expect(stage.tell(.key(.character("a"))).response == nil)
    }

    static let changes: [WatchEvent] = [
        .event("pty_permission", Made.bash("r_1", "npm test", opening: 2)),
        .event("pty_permission", Made.bash("r_1", "rm -rf x")),
        .event("pty_permission", Made.bash("r_1", "npm test", patterns: [])),
        .event("pty_permission", Made.bash("r_1", "npm test", more: ["cwd": "/etc"])),
        .whole(requestID: "r_1", Made.bash("r_1", "npm test && rm x")),
        .preview(requestID: "r_1", ["kind": "text", "reason": "too large"]),
    ]

    @Test(arguments: changes) func aCardThatChangedMustStandAgain(_ change: WatchEvent) {
        var stage = Stage(cards: [Made.bash()])
        stage.tell(change)
        stage.draw()
        stage.wait(499)
        #expect(stage.tell(.key(.character("a"))).response == nil)
        stage.wait(499)
        #expect(stage.tell(.key(.character("d"))).response == nil)
        stage.wait(500)
        #expect(stage.tell(.key(.character("d"))).response != nil)
    }

    @Test func anotherSizeMovesEverything() {
        var stage = Stage(cards: [Made.bash()])
        stage.size = TerminalSize(columns: 100, rows: 30)
        #expect(stage.press(.character("a")).response == nil)
    }

    @Test func whatComesAndGoesBesideItMovesNothing() {
        var stage = Stage(cards: [Made.bash("r_5")])
        let before = stage.draw()
        stage.tell(.event("pty_permission", Made.bash("r_1", "sooner", seconds: 5)))
        stage.tell(.event("pty_permission", Made.bash("r_9", "later", seconds: 90)))
        let after = stage.draw()
        #expect(before[6...13] == after[6...13])
        stage.tell(.event("pty_permission_resolved", Made.end("r_1")))
        #expect(stage.press(.character("a")).response?["request_id"] == "r_5")
    }

    @Test func aHeldKeyAnswersOnce() {
        var stage = Stage(cards: [Made.bash("r_1"), Made.bash("r_2")])
        var answers: [JSON] = []
        for _ in 0..<200 {
            if let response = stage.press(.character("a")).response {
                answers.append(response)
                stage.tell(.answered(requestID: "r_1", .success(["success": true, "decision": "allow"])))
            }
            stage.wait(33)
        }
        #expect(answers.compactMap { $0["request_id"] } == ["r_1"])
        #expect(stage.answer(.character("a")).response?["request_id"] == "r_2")
    }

    @Test func severalKeysInOnePieceDecideNothing() {
        var stage = Stage(cards: [Made.bash()])
        #expect(stage.tell(.keys([.character("a"), .character("s")])).response == nil)
        #expect(stage.tell(.keys([.character("d"), .enter])).response == nil)
        #expect(stage.press(.paste("a")) == [])
        #expect(stage.press(.character("a")).response == nil)
        #expect(stage.answer(.character("a")).response != nil)
    }

    /// The rest of an escape sequence that comes late looks like letters.
    @Test func afterAnEscapeAKeyMustWait() {
        var stage = Stage(cards: [Made.bash()])
        stage.press(.escape)
        #expect(stage.press(.character("a")).response == nil)
    }

    @Test func aKeyForACardThatHasGoneDoesNothingAndSaysSo() {
        var stage = Stage(cards: [Made.bash("r_1"), Made.bash("r_2", "other", seconds: 90)])
        stage.tell(.event("pty_permission_resolved", Made.end()))
        stage.draw()
        stage.wait(1000)
        #expect(stage.press(.character("a")) == [])
        #expect(stage.text.contains("has ended, allowed by phone: nothing done"))
        #expect(stage.press(.character("a")) == [])
        #expect(stage.answer(.character("a")).response?["request_id"] == "r_2")
    }

    @Test func aCardThatEndedStaysUntilThePersonGoesOn() {
        var stage = Stage(cards: [Made.bash("r_1"), Made.bash("r_2", "other", seconds: 90)])
        stage.tell(.event("pty_permission_resolved", Made.end()))
        stage.wait(1999)
        stage.tell(.tick)
        #expect(stage.text.contains("ENDED: allowed by phone"))
        stage.wait(1)
        stage.tell(.tick)
        #expect(!stage.text.contains("ENDED"))
        #expect(stage.press(.character("a")).response == nil)
    }

    @Test func aTooSmallWindowTakesNoAnswers() {
        var stage = Stage(cards: [Made.bash()])
        stage.size = TerminalSize(columns: 20, rows: 5)
        #expect(stage.answer(.character("a")).response == nil)
    }
}
