import Core
import Daemon
import Foundation
import OrderedJSON
import Testing
import Wire

/// A disk that answers when the test lets it.
private final class Gate: @unchecked Sendable {  // guard: a condition guards `isOpen`
    private let condition = NSCondition()
    private var isOpen = false

    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    func pass() {
        condition.withLock { while !isOpen { condition.wait() } }
    }
}

/// Rules that have to ask a slow disk about every line that names it; in a hurry they say that they would.
private struct SlowRules: RuleJudge {
    let gate: Gate
    let rules = NoRules()

    private final class Hurry: RuleJudge, @unchecked Sendable {  // guard: used for one call, by one thread
        let rules = NoRules()
        var isSure = true

        private func look(_ call: ToolCall) { if SlowRules.isSlow(call) { isSure = false } }

        func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers {
            look(call)
            return rules.offers(for: call, at: place)
        }

        func allowing(_ call: ToolCall, at place: RulePlace, among granted: GrantedRules) -> [SessionRule] {
            look(call)
            return rules.allowing(call, at: place, among: granted)
        }

        func denying(_ call: ToolCall, at place: RulePlace, among granted: GrantedRules) -> SessionRule? {
            look(call)
            return rules.denying(call, at: place, among: granted)
        }

        func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { false }
        func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { false }
    }

    static func isSlow(_ call: ToolCall) -> Bool { call.input["command"]?.stringValue?.hasPrefix("slow") == true }

    private func wait(_ call: ToolCall) { if Self.isSlow(call) { gate.pass() } }

    func hurried() -> HurriedJudge {
        let hurry = Hurry()
        return HurriedJudge(judge: hurry, isSure: { hurry.isSure })
    }

    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers {
        wait(call)
        return rules.offers(for: call, at: place)
    }

    func allowing(_ call: ToolCall, at place: RulePlace, among granted: GrantedRules) -> [SessionRule] {
        wait(call)
        return rules.allowing(call, at: place, among: granted)
    }

    func denying(_ call: ToolCall, at place: RulePlace, among granted: GrantedRules) -> SessionRule? {
        wait(call)
        return rules.denying(call, at: place, among: granted)
    }

    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { false }
    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { false }
}

/// While one call's question waits for a disk, everybody else is answered.
@Suite(.timeLimit(.minutes(1))) struct SlowDiskTests {
    private func daemon(_ gate: Gate) async throws -> TestDaemon {
        try await TestDaemon { _, parts in parts.judge = SlowRules(gate: gate) }
    }

    /// A rule for all of Bash in session `s1`; its id.
    private func grant(_ test: TestDaemon, _ approver: TestPeer) async throws -> JSON {
        let first = try await test.relay(bash("touch x", id: "toolu_first"))
        let card = try await approver.message("event/pty_permission")
        let answer = try await test.call(
            "permission/respond",
            ["request_id": card["request_id"] ?? "", "decision": "allow", "scope": "session"])
        #expect(try await first.response().text.contains("allow"))
        return answer["rules"]?.arrayValue?.first?["id"] ?? ""
    }

    /// A call whose question waits for the disk: its relay has heard that the daemon lives, and no more.
    private func ask(_ test: TestDaemon, event: String = "PreToolUse") async throws -> TestPeer {
        let body = bash("slow line", id: "toolu_slow").replacingOccurrences(of: "PreToolUse", with: event)
        let relay = try await test.relay(body)
        guard case .interim(_, let fields)? = try await relay.answer() else {
            throw PeerError(what: "no interim answer", code: 0)
        }
        #expect(fields["cdev-deadline"] == nil)
        return relay
    }

    @Test func othersAreAnsweredMeanwhile() async throws {
        let gate = Gate()
        defer { gate.open() }
        let test = try await daemon(gate)
        let approver = try await test.approver()
        _ = try await grant(test, approver)
        let slow = try await ask(test)
        #expect(try await test.ask("GET", "/health").status.code == 200)
        #expect(try await test.relay(bash("touch y", id: "toolu_2")).response().text.contains("allow"))
        let other = try await test.relay(bash("touch z", session: "s2", id: "toolu_3"))
        #expect(try await approver.message("event/pty_permission")["session_id"] == "s2")
        try await other.leave()
        gate.open()
        #expect(try await slow.response().text.contains("allowed for this session"))
        await test.daemon.stop()
    }

    @Test func aPersonIsAskedWhereTheDiskDoesNotAnswer() async throws {
        let gate = Gate()
        defer { gate.open() }
        let test = try await daemon(gate)
        let approver = try await test.approver()
        _ = try await grant(test, approver)
        let slow = try await ask(test)
        // Whoever is answered now comes after the loop has set its timer.
        #expect(try await test.ask("GET", "/health").status.code == 200)
        test.clock.advance(by: 2)
        let card = try await approver.message("event/pty_permission")
        #expect(card["tool_use_id"] == "toolu_slow" && card["patterns"] == [])
        #expect(card["rules_note"]?.stringValue?.contains("disk did not answer") == true)
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "deny"])
        #expect(try await slow.response().text.contains("deny"))
        await test.daemon.stop()
    }

    @Test func whatAPersonAllowedIsAskedAgainWhereADenyRuleCannotBeLookedAt() async throws {
        let gate = Gate()
        defer { gate.open() }
        let test = try await daemon(gate)
        let approver = try await test.approver()
        let announced = try await ask(test)
        #expect(try await test.ask("GET", "/health").status.code == 200)
        test.clock.advance(by: 2)
        let card = try await approver.message("event/pty_permission")
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "allow"])
        #expect(try await announced.response().text.contains("allow"))
        let other = try await test.relay(bash("touch x", id: "toolu_other"))
        let otherCard = try await approver.message("event/pty_permission")
        _ = try await test.call(
            "permission/respond",
            ["request_id": otherCard["request_id"] ?? "", "decision": "deny", "scope": "session"])
        #expect(try await other.response().text.contains("deny"))
        let dialog = try await ask(test, event: "PermissionRequest")
        #expect(try await test.ask("GET", "/health").status.code == 200)
        test.clock.advance(by: 2)
        guard case .interim(_, let fields)? = try await dialog.answer() else {
            throw PeerError(what: "settled unasked", code: 0)
        }
        #expect(fields["cdev-deadline"] != nil)
        await test.daemon.stop()
    }

    @Test func aRuleThatIsTakenBackMeanwhileAllowsNothing() async throws {
        let gate = Gate()
        defer { gate.open() }
        let test = try await daemon(gate)
        let approver = try await test.approver()
        let rule = try await grant(test, approver)
        let slow = try await ask(test)
        #expect(try await test.call("permission/revoke", ["rule_id": rule])["success"] == true)
        gate.open()
        let card = try await approver.message("event/pty_permission")
        #expect(card["tool_use_id"] == "toolu_slow")
        _ = try await test.call("permission/respond", ["request_id": card["request_id"] ?? "", "decision": "deny"])
        #expect(try await slow.response().text.contains("deny"))
        await test.daemon.stop()
    }

    @Test func whoLeavesMeanwhileIsNotHeld() async throws {
        let gate = Gate()
        defer { gate.open() }
        let test = try await daemon(gate)
        let approver = try await test.approver()
        let slow = try await ask(test)
        try await slow.leave()
        gate.open()
        #expect(try await approver.message("event/pty_permission_resolved")["resolved_by"] == "hook gone")
        #expect(try await test.call("permission/pending")["count"] == 0)
        await test.daemon.stop()
    }
}
