import Core
import Rules
import TestSupport
import Testing

/// Calls that an allow rule ended, where the rules allow them no more before their hooks hear that.
@Suite struct WithdrawnAllowTests {
    private static let relay = HookSource(relayToken: "k", bodyDigest: [1])

    /// Two held calls; the first is about to be allowed for the session, so that its rule ends the second.
    private static func stage() -> (Stage, Waiter) {
        var stage = Stage()
        stage.send(.bash("touch a", id: "t1"))
        let waiter = stage.send(.bash("touch b", id: "t2"), from: relay)
        stage.commitsAtOnce = false
        return (stage, waiter)
    }

    private static func isDeny(_ answers: [HookAnswer]?) -> Bool {
        if case .deny? = answers?.first { answers?.count == 1 } else { false }
    }

    /// Another person denies such calls for the session while the allow is written.
    @Test func aDenyForTheSessionThatIsConfirmedComesFirst() {
        var (stage, waiter) = Self.stage()
        stage.send(.bash("touch c", id: "t3"))
        stage.respond("r_1", .allow, .session)
        stage.respond("r_3", .deny, .session)
        stage.settleSlice()
        stage.settleSlice()
        #expect(stage.answers[waiter] == nil, "the end by the rule is being written")
        stage.settleCommits()
        #expect(Self.isDeny(stage.answers[waiter]), "\(stage.ends)")
        stage.writeAppended()
        #expect(stage.state.request(id: "r_2")?.resolution?.decision == .deny)
    }

    @Test func aRuleThatIsRevokedWhileItsEndIsWrittenAllowsNothing() {
        var (stage, waiter) = Self.stage()
        stage.respond("r_1", .allow, .session)
        stage.settleSlice()
        #expect(stage.answers[waiter] == nil)
        for rule in stage.state.rules(session: nil) { stage.revoke(rule: rule.id) }
        stage.settleCommits()
        guard case .ask? = stage.answers[waiter]?.first else {
            Issue.record("\(String(describing: stage.answers[waiter]))")
            return
        }
    }

    @Test func anEndByARuleInForceIsGiven() {
        var (stage, waiter) = Self.stage()
        stage.respond("r_1", .allow, .session)
        stage.settleCommits()
        guard case .allow? = stage.answers[waiter]?.first else {
            Issue.record("\(String(describing: stage.answers[waiter]))")
            return
        }
    }

    /// The relay was stopped over a restart; the rule that ended its call was revoked before it came back.
    @Test(arguments: [true, false]) func aRepeatedHookIsAskedWhereTheRuleWasRevoked(_ isRevoked: Bool) {
        var stage = Stage()
        stage.send(.bash("touch b", id: "t2"), from: Self.relay)
        stage.kill()
        stage.send(.bash("touch a", id: "t1"))
        let due = stage.state.request(id: "r_1")?.due
        stage.wait(5)
        stage.respond("r_2", .allow, .session)
        #expect(stage.ends.last == "allow by rule rule_3")
        if isRevoked { stage.revoke(rule: "rule_3") }
        let again = stage.send(.bash("touch b", id: "t2"), from: Self.relay)
        #expect((stage.answers[again] == nil) == isRevoked)
        #expect(stage.pending.map(\.toolUseID) == (isRevoked ? ["t2"] : []))
        #expect(!isRevoked || stage.holds[again] == due, "the relay waits no longer than it was told first")
    }

    /// Once before its facts are gathered, and once as it is taken: what a person changed is looked for without the rules.
    @Test func theRulesAreAskedOnceForEachLookAtARepeatedHook() throws {
        let counter = AllowCounter()
        var stage = Stage(evaluator: counter)
        stage.send(.bash("touch a", id: "t1"))
        stage.send(.bash("touch b", id: "t2"), from: Self.relay)
        stage.respond("r_1", .allow, .session)
        #expect(stage.ends.last?.hasPrefix("allow by rule") == true)
        let again = HookCall.local(.bash("touch b", id: "t2"), from: Self.relay)
        for (look, count) in [
            ({ _ = stage.state.unreadAnswer(for: again) }, 0), ({ _ = stage.state.inquiry(again) }, 1),
            ({ _ = stage.send(.bash("touch b", id: "t2"), from: Self.relay) }, 1),
        ] {
            counter.reset()
            look()
            #expect(counter.reset() == count)
        }
    }
}

/// Counts the evaluations by allow rules.
private final class AllowCounter: RuleEvaluator {
    private nonisolated(unsafe) var count = 0  // One test drives one stage on one thread.
    private let rules = PrefixEvaluator()

    @discardableResult
    func reset() -> Int {
        defer { count = 0 }
        return count
    }

    func allowing(_ call: ToolCall, at place: RulePlace, among granted: GrantedRules) -> [SessionRule] {
        count += 1
        return rules.allowing(call, at: place, among: granted)
    }

    func denying(_ call: ToolCall, at place: RulePlace, among granted: GrantedRules) -> SessionRule? { nil }
    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers { rules.offers(for: call, at: place) }
    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { false }
    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { false }
}
