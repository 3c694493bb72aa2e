import Core
import Daemon
import Foundation
import OrderedJSON
import Platform
import Rules
import Testing
import Transport
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
private struct SlowRules: RuleEvaluator {
    /// What the disk does when it is asked.
    let ask: @Sendable () -> Void
    let rules = NoRules()

    private func look(_ call: ToolCall) {
        if call.input["command"]?.stringValue?.hasPrefix("slow") == true { ask() }
    }

    func hurried() -> HurriedEvaluator {
        let isSure = Locked(true)
        return HurriedEvaluator(
            evaluator: SlowRules { isSure.withLock { $0 = false } }, isSure: { isSure.withLock { $0 } })
    }

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

/// While one call waits for a disk, everybody else is answered.
@Suite(.timeLimit(.minutes(1))) struct SlowDiskTests {
    /// Runs `body` with a daemon whose disk waits for `gate`, and an approver.
    private func withDaemon(_ body: (TestDaemon, TestPeer, _ gate: Gate) async throws -> Void) async throws {
        let gate = Gate()
        defer { gate.open() }
        let test = try await TestDaemon { _, parts in parts.evaluator = SlowRules { gate.pass() } }
        try await body(test, try await test.approver(), gate)
        await test.daemon.stop()
    }

    /// The next card, answered.
    private func answer(
        _ test: TestDaemon, _ approver: TestPeer, _ decision: String, for session: Bool = false
    ) async throws -> (card: JSON, result: JSON) {
        let card = try await approver.message("event/pty_permission")
        let result = try await test.call(
            "permission/respond",
            [
                "request_id": card["request_id"] ?? "", "decision": .string(decision),
                "scope": session ? "session" : "once",
            ])
        return (card, result)
    }

    /// The time after which a person is asked in place of the disk. Whoever is answered now comes after the loop has set
    /// its timer.
    private func runOutOfPatience(_ test: TestDaemon) async throws {
        #expect(try await test.ask("GET", "/health").status.code == 200)
        test.clock.advance(by: 0.3)
    }

    /// A rule for all of Bash in session `s1`; its id.
    private func grant(_ test: TestDaemon, _ approver: TestPeer) async throws -> JSON {
        let first = try await test.relay(bash("touch x", id: "toolu_first"))
        let granted = try await answer(test, approver, "allow", for: true).result
        #expect(try await first.response().text.contains("allow"))
        return granted["rules"]?.arrayValue?.first?["id"] ?? ""
    }

    /// A call that waits for the disk: its relay has heard that the daemon lives, and no more.
    private func ask(
        _ test: TestDaemon, event: String = "PreToolUse", session: String = "s1", cwd: String = "/p",
        id: String = "toolu_slow"
    ) async throws -> TestPeer {
        let body = bash("slow line", session: session, cwd: cwd, id: id)
            .replacingOccurrences(of: "PreToolUse", with: event)
        let relay = try await test.relay(body)
        guard case .interim(_, let fields)? = try await relay.answer() else {
            throw PeerError(what: "no interim answer", code: 0)
        }
        #expect(fields["cdev-deadline"] == nil)
        return relay
    }

    @Test func othersAreAnsweredMeanwhile() async throws {
        try await withDaemon { test, approver, gate in
            _ = try await grant(test, approver)
            let slow = try await ask(test)
            #expect(try await test.ask("GET", "/health").status.code == 200)
            #expect(try await test.relay(bash("touch y", id: "toolu_2")).response().text.contains("allow"))
            let other = try await test.relay(bash("touch z", session: "s2", id: "toolu_3"))
            #expect(try await approver.message("event/pty_permission")["session_id"] == "s2")
            try await other.leave()
            gate.open()
            #expect(try await slow.response().text.contains("allowed for the session"))
        }
    }

    @Test func aPersonIsAskedWhereTheDiskDoesNotAnswer() async throws {
        try await withDaemon { test, approver, _ in
            _ = try await grant(test, approver)
            let slow = try await ask(test)
            try await runOutOfPatience(test)
            let card = try await answer(test, approver, "deny").card
            #expect(card["tool_use_id"] == "toolu_slow" && card["patterns"] == [])
            #expect(card["rules_note"]?.stringValue?.contains("disk did not answer") == true)
            #expect(try await slow.response().text.contains("deny"))
        }
    }

    @Test func whatAPersonAllowedIsAskedAgainWhereADenyRuleCannotBeLookedAt() async throws {
        try await withDaemon { test, approver, _ in
            let announced = try await ask(test)
            try await runOutOfPatience(test)
            _ = try await answer(test, approver, "allow")
            #expect(try await announced.response().text.contains("allow"))
            let other = try await test.relay(bash("touch x", id: "toolu_other"))
            _ = try await answer(test, approver, "deny", for: true)
            #expect(try await other.response().text.contains("deny"))
            let dialog = try await ask(test, event: "PermissionRequest")
            try await runOutOfPatience(test)
            guard case .interim(_, let fields)? = try await dialog.answer() else {
                throw PeerError(what: "settled unasked", code: 0)
            }
            #expect(fields["cdev-deadline"] != nil)
        }
    }

    @Test func aRuleThatIsTakenBackMeanwhileAllowsNothing() async throws {
        try await withDaemon { test, approver, gate in
            let rule = try await grant(test, approver)
            let slow = try await ask(test)
            #expect(try await test.call("permission/revoke", ["rule_id": rule])["success"] == true)
            gate.open()
            #expect(try await answer(test, approver, "deny").card["tool_use_id"] == "toolu_slow")
            #expect(try await slow.response().text.contains("deny"))
        }
    }

    /// Eight calls of one root wait for its disk; the next is put to a person without any wait, and another root's
    /// still has the disk asked.
    @Test func aDiskThatHangsIsAskedEightTimesForEachRoot() async throws {
        try await withDaemon { test, approver, gate in
            _ = try await grant(test, approver)
            var waiting: [TestPeer] = []
            for number in 1...8 { waiting.append(try await ask(test, id: "toolu_wait_\(number)")) }
            let ninth = try await test.relay(bash("slow line", id: "toolu_ninth"))
            let card = try await answer(test, approver, "deny").card
            #expect(card["tool_use_id"] == "toolu_ninth")
            #expect(card["rules_note"]?.stringValue?.contains("disk did not answer") == true)
            #expect(try await ninth.response().text.contains("deny"))
            let elsewhere = try await ask(test, session: "s2", cwd: "/elsewhere", id: "toolu_elsewhere")
            gate.open()
            #expect(try await approver.message("event/pty_permission")["tool_use_id"] == "toolu_elsewhere")
            for relay in waiting { #expect(try await relay.response().text.contains("allowed for the session")) }
            try await elsewhere.leave()
        }
    }

    @Test func whoLeavesMeanwhileIsNotHeld() async throws {
        try await withDaemon { test, approver, gate in
            let slow = try await ask(test)
            try await slow.leave()
            gate.open()
            #expect(try await approver.message("event/pty_permission_resolved")["resolved_by"] == "hook gone")
            #expect(try await test.call("permission/pending")["count"] == 0)
        }
    }
}
