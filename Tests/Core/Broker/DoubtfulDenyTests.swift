import Core
import Rules
import TestSupport
import Testing

/// Calls that a deny rule may cover, though nobody can tell: a person decides them, whatever else would.
@Suite struct DoubtfulDenyTests {
    private static func policy(_ gate: Policy.Gate) -> Policy {
        var policy = Policy()
        policy.gate = gate
        policy.onTimeout = .pass
        return policy
    }

    /// `touch …` is allowed for the session, `rm …` denied.
    private static func stage(_ gate: Policy.Gate = .toolCall) -> Stage {
        var stage = Stage(policy(gate), evaluator: DoubtfulEvaluator())
        decide("touch a", .allow, in: &stage)
        decide("rm a", .deny, in: &stage)
        return stage
    }

    private static func decide(_ line: String, _ decision: Decision, in stage: inout Stage) {
        stage.send(.bash(line, id: line))
        stage.respond(stage.pending.last?.id ?? "", decision, .session)
    }

    @Test func isHeldWhateverAllowsIt() {
        var stage = Self.stage()
        let plain = stage.send(.bash("touch b", id: "t3"))
        #expect(stage.answers[plain]?.count == 1)
        for line in ["touch b maybe", "make maybe", "ls maybe"] {
            let waiter = stage.send(.bash(line, id: "t-" + line))
            #expect(stage.answers[waiter] == nil, "\(line)")
        }
        let waiter = stage.send(.bash("touch b maybe", id: "t9"))
        #expect((try? stage.respond(stage.pending.last?.id ?? "", .allow)?.get()) != nil)
        #expect(stage.answers[waiter]?.count == 1)
    }

    @Test func endsAsADenyIfNobodyDecides() {
        var stage = Self.stage()
        let waiter = stage.send(.bash("touch b maybe", id: "t3"))
        stage.wait(60)
        if case .deny? = stage.answers[waiter]?.first {} else { Issue.record("\(stage.answers[waiter] ?? [])") }
    }

    @Test func aNewRuleDoesNotSettleIt() {
        var stage = Self.stage()
        let waiter = stage.send(.bash("cp b maybe", id: "t3"))
        Self.decide("cp b c", .allow, in: &stage)
        #expect(stage.answers[waiter] == nil)
    }

    @Test func nothingIsHeldWithoutADenyRule() {
        var stage = Stage(Self.policy(.toolCall), evaluator: DoubtfulEvaluator())
        Self.decide("touch a", .allow, in: &stage)
        let waiter = stage.send(.bash("touch b maybe", id: "t3"))
        #expect(stage.answers[waiter]?.count == 1)
    }
}

/// Cannot tell of a line with `maybe` whether a deny rule covers it.
private struct DoubtfulEvaluator: RuleEvaluator {
    private let base = PrefixEvaluator()

    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers { base.offers(for: call, at: place) }

    func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule] {
        base.allowing(call, at: place, among: rules)
    }

    func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? {
        base.denying(call, at: place, among: rules)
    }

    func mayDeny(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? {
        call.input["command"]?.stringValue?.hasSuffix(" maybe") == true ? rules.all.first : nil
    }

    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { base.onlyReads(call, at: place) }

    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { base.editsUnderRoot(call, at: place) }
}
