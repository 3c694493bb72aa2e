import Core
import OrderedJSON
import Rules
import TestSupport
import Testing

/// Held calls that a deny rule may cover which came into force after them and could not be evaluated for them: where no
/// person decides, they are denied.
@Suite struct UncheckedDenyTests {
    private static let large = "cp a " + String(repeating: "b", count: 20_000)

    private static var policy: Policy {
        var policy = Policy()
        policy.onTimeout = .pass
        return policy
    }

    /// A held call that is too large to be evaluated, and a person's deny of all that begins with `touch`.
    private static func stage(
        _ line: String = large, evaluator: any RuleEvaluator = PrefixEvaluator(), isVerified: Bool = true
    ) -> (Stage, Waiter) {
        var stage = Stage(policy, evaluator: evaluator)
        stage.send(.bash("touch a", id: "t1"))
        let waiter = stage.send(
            .bash(line, id: "t2"), from: HookSource(relayToken: "k", bodyDigest: [1], isVerified: isVerified))
        stage.respond("r_1", .deny, .session)
        return (stage, waiter)
    }

    private static func isDeny(_ answers: [HookAnswer]?) -> Bool {
        if case .deny? = answers?.first { answers?.count == 1 } else { false }
    }

    @Test func itsDeadlineIsADeny() {
        var (stage, waiter) = Self.stage()
        #expect(stage.answers[waiter] == nil, "a person can decide until then")
        stage.wait(60)
        #expect(Self.isDeny(stage.answers[waiter]) && stage.ends == ["deny by device phone", "deny by timeout"])
    }

    @Test func itsDeadlineIsADenyWhereTheDiskWasNotAsked() {
        var (stage, waiter) = Self.stage("cp a b", evaluator: UnsureEvaluator())
        stage.wait(60)
        #expect(Self.isDeny(stage.answers[waiter]))
    }

    /// The smaller call was evaluated, and is not covered.
    @Test(arguments: [true, false]) func aCheckedCallHasNoOpinion(_ isVerified: Bool) {
        var (stage, waiter) = Self.stage("cp a b", isVerified: isVerified)
        stage.wait(60)
        #expect(stage.answers[waiter] == [.pass])
    }

    @Test func aCallOfAnUnverifiedSenderIsDeniedByANewRule() {
        let (stage, waiter) = Self.stage("touch b", isVerified: false)
        #expect(Self.isDeny(stage.answers[waiter]))
    }

    @Test func aRevokedRuleLeavesNoDoubt() {
        var (stage, waiter) = Self.stage()
        for rule in stage.state.rules(session: "s1") { stage.revoke(rule: rule.id) }
        stage.wait(60)
        #expect(stage.answers[waiter] == [.pass])
    }

    @Test func aPersonMayStillAllowIt() {
        var (stage, waiter) = Self.stage()
        #expect((try? stage.respond("r_2", .allow)?.get()) != nil)
        #expect(stage.answers[waiter]?.count == 1 && !Self.isDeny(stage.answers[waiter]))
    }

    /// The call ended without a person, and its hook did not hear that; then a person denied all such calls.
    @Test(arguments: [("touch b", "deny by rule rule_3"), (large, "deny by timeout"), ("make b", nil)])
    func aRepeatedHookHearsADenyThatCameSince(_ line: String, _ end: String?) {
        var stage = Stage(Self.policy)
        let relay = HookSource(relayToken: "k", bodyDigest: [1])
        stage.send(.bash(line, id: "t1"), from: relay)
        stage.wait(60)
        stage.send(.bash("touch a", id: "t2"))
        stage.respond("r_2", .deny, .session)
        let again = stage.send(.bash(line, id: "t1"), from: relay)
        #expect(end == nil ? stage.answers[again] == [.pass] : Self.isDeny(stage.answers[again]))
        #expect(stage.ends.dropFirst(2) == (end.map { ["corrected: " + $0] } ?? []))
        let third = stage.send(.bash(line, id: "t1"), from: relay)
        #expect(stage.answers[third] == stage.answers[again])
    }

    /// Some models number their calls anew, so the call that ran may be another.
    @Test func theRunOfACallWithItsIDLetsNothingThrough() {
        var (stage, waiter) = Self.stage()
        stage.send(.tool(.postToolUse, "Bash", ["command": "cp c d"], id: "t2"))
        #expect(Self.isDeny(stage.answers[waiter]) && stage.ends.last == "allow by terminal")
        let again = stage.send(.bash(Self.large, id: "t2"), from: HookSource(relayToken: "k", bodyDigest: [1]))
        #expect(Self.isDeny(stage.answers[again]) && stage.ends.last == "allow by terminal")
    }

    /// The allow was given before the deny rule came into force, and could not be written.
    @Test func anAllowThatCannotBeWrittenBecomesADeny() {
        var stage = Stage(Self.policy)
        stage.send(.bash("touch a", id: "t1"))
        let waiter = stage.send(.bash("touch b", id: "t2"), from: HookSource(relayToken: "k", bodyDigest: [1]))
        stage.commitsAtOnce = false
        stage.respond("r_1", .deny, .session)
        stage.respond("r_2", .allow)
        stage.settleSlice()
        stage.storeWorks = false
        stage.settleCommits()
        #expect(Self.isDeny(stage.answers[waiter]))
    }

    /// Killed after the deny was confirmed; the deadlines of the other calls pass before the next daemon starts.
    @Test(arguments: ["touch b", "cp a b", large], [9.0, 61])
    func aRestartAfterItsDeadlineDenies(_ line: String, _ seconds: Double) {
        var stage = Stage(Self.policy)
        stage.send(.bash("touch a", id: "t1"))
        for number in 0..<2 * BrokerState.dueAtOnce {
            stage.send(
                .bash(line, id: "t_\(number)"), from: HookSource(relayToken: "k\(number)", bodyDigest: [1]))
        }
        stage.commitsAtOnce = false
        stage.respond("r_1", .deny, .session)
        stage.settleSlice()
        stage.now = stage.now + seconds
        stage.kill()
        let relay = HookSource(relayToken: "k\(2 * BrokerState.dueAtOnce - 1)", bodyDigest: [1])
        let waiter = stage.send(.bash(line, id: "t_\(2 * BrokerState.dueAtOnce - 1)"), from: relay)
        stage.settleCommits()
        for _ in 0..<60 {
            stage.wait(1)
            stage.settleCommits()
        }
        let isCleared = line == "cp a b" && seconds < 60
        #expect(isCleared ? stage.answers[waiter] == [.pass] : Self.isDeny(stage.answers[waiter]))
        #expect(stage.pending.isEmpty)
    }
}

/// Never evaluates a call on the loop.
private struct UnsureEvaluator: RuleEvaluator {
    private let base = PrefixEvaluator()

    func hurried() -> HurriedEvaluator { HurriedEvaluator(evaluator: self, isSure: { false }) }

    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers { base.offers(for: call, at: place) }

    func allowing(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> [SessionRule] {
        base.allowing(call, at: place, among: rules)
    }

    func denying(_ call: ToolCall, at place: RulePlace, among rules: GrantedRules) -> SessionRule? {
        base.denying(call, at: place, among: rules)
    }

    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { base.onlyReads(call, at: place) }

    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { base.editsUnderRoot(call, at: place) }
}
