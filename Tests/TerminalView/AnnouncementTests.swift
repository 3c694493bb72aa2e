import OrderedJSON
import TerminalView
import Testing

/// Announcements: devices, refused agents and ignored denies, on the status line.
@Suite struct AnnouncementTests {
    static let cases: [(event: String, params: JSON, text: String, isAlarming: Bool)] = [
        (
            "agent_refused", ["pid": 7, "method": "pair/start"],
            "refused: process 7 inside an agent tried pair/start", true
        ),
        (
            "agent_not_held", ["agent": "cursor", "reason": "Cursor runs our hooks"], "not held: Cursor runs our hooks",
            false
        ),
        (
            "deny_ignored", ["reason": "Claude Code ran a call of Bash", "denied_by": "device phone", "cwd": "/p"],
            "ALARM: Claude Code ran a call of Bash; denied by phone in /p", true
        ),
        (
            "device_paired", ["device_id": "d_1", "name": "phone", "rights": ["decide", "read", "report"]],
            "let in: phone, which may answer; if it is not yours: cdev devices revoke d_1", true
        ),
        (
            "device_paired", ["device_id": "d_2", "name": "wall", "rights": ["read"]],
            "let in: wall, which may look; if it is not yours: cdev devices revoke d_2", true
        ),
        (
            "device_revoked", ["device_id": "d_1", "name": "phone", "reason": "it signed out", "rules_dropped": []],
            "let in no more: phone: it signed out", false
        ),
        (
            "pairing_requested", ["request_id": "preq_1", "name": "tablet", "platform": "iOS", "address": "10.0.0.7"],
            "tablet at 10.0.0.7 typed a code and asks to be let in: cdev pair approve preq_1", true
        ),
        (
            "pairing_requested", ["request_id": "preq_1", "name": .null, "address": "::1"],
            "a device at ::1 typed a code and asks to be let in: cdev pair approve preq_1", true
        ),
    ]

    @Test(arguments: cases) func says(event: String, params: JSON, text: String, isAlarming: Bool) throws {
        let announcement = try #require(Announcement(event: event, params))
        #expect(announcement.text == text && announcement.isAlarming == isAlarming)
    }

    @Test(arguments: ["pty_permission", "heartbeat", ""]) func othersAnnounceNothing(event: String) {
        #expect(Announcement(event: event, [:]) == nil)
    }

    /// The status line is always there: cards stay in place, and a key pressed meanwhile counts for its card.
    @Test(arguments: cases) func movesNoCard(event: String, params: JSON, text: String, isAlarming: Bool) {
        var stage = Stage(cards: [Made.bash("r_1"), Made.bash("r_2", "ls", seconds: 90)])
        stage.size = TerminalSize(columns: 120, rows: 24)
        stage.settle()
        let before = stage.draw()
        let effects = stage.tell(.event(event, params))
        let after = stage.draw()
        #expect(effects == (isAlarming ? [.bell] : []))
        let changed = before.indices.filter { before[$0] != after[$0] }
        #expect(changed == [22] && after[22].hasPrefix(text))
        #expect(stage.press(.character("a")).response?["request_id"] == "r_1")
    }

    @Test func hostileNamesAreShownByNumber() {
        var stage = Stage(cards: [Made.bash()])
        stage.tell(.event("device_paired", ["device_id": "d", "name": "a\u{1B}[2J\nb", "rights": []]))
        #expect(stage.draw()[22].contains("a\\u{001B}[2J⏎b"))
    }
}
