import Core
import OrderedJSON
import Rules
import TestSupport
import Testing

/// A rule beside many held requests: they are evaluated in slices, and no answer that comes between two slices gets past
/// a deny rule.
@Suite struct EvaluationSliceTests {
    /// So many held requests that one rule covers.
    private static func stage(
        _ counter: EvaluationCounter, count: Int = 30, bytes: Int = 10, slice: EvaluationSlice = EvaluationSlice()
    ) -> Stage {
        var stage = Stage(evaluator: counter)
        stage.state.slice = slice
        for number in 0..<count {
            let line = "touch \(number) " + String(repeating: "x", count: bytes)
            stage.send(.bash(line, id: "t\(number)"), from: HookSource(relayToken: "k\(number)", bodyDigest: [1]))
        }
        counter.reset()
        return stage
    }

    private static func slices(_ stage: inout Stage, _ counter: EvaluationCounter) -> [Int] {
        var slices = [counter.reset()]
        while let wake = stage.state.nextWake(), wake <= stage.now.uptime, slices.count < 100 {
            stage.wait(0)
            slices.append(counter.reset())
        }
        return slices
    }

    /// The timer may fire late, and what is due may end in a later slice.
    @Test func noRuleAllowsACallThatIsDue() {
        var stage = Stage()
        let late = stage.send(.bash("touch x", id: "t1"))
        stage.now = stage.now + 40
        stage.send(.bash("touch y", id: "t2"))
        stage.now = stage.now + 21
        stage.respond("r_2", .allow, .session)
        #expect(stage.answers[late] == nil)
        stage.wait(0)
        #expect(stage.ends == ["allow by device phone", "ask by timeout"])
    }

    @Test(arguments: [Decision.allow, .deny]) func aNewRuleEvaluatesFewRequestsAtOnce(_ decision: Decision) {
        let counter = EvaluationCounter()
        var stage = Self.stage(counter)
        stage.respond("r_1", decision, .session)
        #expect(Self.slices(&stage, counter) == [10, 10, 9])
        #expect(stage.pending.isEmpty && stage.ends.count == 30)
        #expect(stage.ends.dropFirst().allSatisfy { $0.hasPrefix("\(decision.rawValue) by rule") })
    }

    @Test func largeInputsMakeSmallSlices() {
        let counter = EvaluationCounter()
        var stage = Self.stage(counter, count: 7, bytes: 3 << 10)
        stage.respond("r_1", .deny, .session)
        #expect(Self.slices(&stage, counter) == [2, 2, 2])
        stage = Self.stage(counter, count: 4, bytes: 12 << 10)
        stage.respond("r_1", .deny, .session)
        #expect(Self.slices(&stage, counter) == [1, 1, 1])
    }

    @Test func aHookEvaluatesNoSlice() {
        let counter = EvaluationCounter()
        var stage = Self.stage(counter)
        stage.respond("r_1", .deny, .session)
        counter.reset()
        let call = HookCall.local(.bash("touch new", id: "new", session: "s9"), from: HookSource())
        stage.perform(stage.state.catchUp(before: call, at: stage.now))
        #expect(counter.reset() == 0)
        let new = stage.send(.bash("touch new", id: "new"))
        guard case .deny? = stage.answers[new]?.first else {
            Issue.record("a new call is evaluated by the rule at once")
            return
        }
    }

    private static let one = EvaluationSlice(requests: 1)

    /// The rule was given first, so it decides, whatever a person says of a request that still waits.
    @Test(arguments: [Decision.allow, .ask, .deny]) func noAnswerGetsPastARuleThatCameFirst(_ answer: Decision) {
        var stage = Self.stage(EvaluationCounter(), count: 4, slice: Self.one)
        stage.respond("r_1", .deny, .session)
        let result = stage.respond("r_4", answer)
        guard case .failure(.decided(let resolution))? = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(resolution.decision == .deny && stage.isDenied(4))
    }

    /// The same where a list of answers is too long to evaluate everything that it names at once.
    @Test func noListedAllowGetsPastARuleThatCameFirst() {
        var stage = Self.stage(EvaluationCounter(), count: 6, slice: Self.one)
        stage.respond("r_1", .deny, .session)
        let allow = (3...5).map { PermissionResponse(target: .request(id: "r_\($0)"), decision: .allow) }
        let deny = PermissionResponse(target: .request(id: "r_6"), decision: .deny)
        let results = stage.respond(allow + [deny]) ?? []
        #expect(results.count == 4)
        for case .success(let receipt) in results { #expect(receipt.requestID == "r_6" && receipt.decision == .deny) }
        while let wake = stage.state.nextWake(), wake <= stage.now.uptime { stage.wait(0) }
        for number in 1...6 { #expect(stage.isDenied(number)) }
    }

    /// What ends without an answer between two slices is not let run either, even if its hook comes again when the
    /// session with its rules is over.
    @Test(arguments: ["turn", "session", "hook"]) func noEndGetsPastARuleThatCameFirst(_ end: String) {
        var stage = Self.stage(EvaluationCounter(), count: 4, slice: Self.one)
        stage.respond("r_1", .deny, .session)
        switch end {
        case "turn": stage.send(.turn(.stop))
        case "session": stage.send(.turn(.sessionEnd))
        default: for number in 1...4 { stage.leave(Waiter(number: UInt64(number))) }
        }
        for number in 3...4 {
            #expect(end == "hook" || stage.isDenied(number))
            #expect(stage.state.request(id: "r_\(number)")?.resolution?.decision == .pass, "nobody denied it")
            let again = stage.send(
                .bash("touch \(number - 1) xxxxxxxxxx", id: "t\(number - 1)"),
                from: HookSource(relayToken: "k\(number - 1)", bodyDigest: [1]))
            #expect(stage.isDenied(Int(again.number)))
        }
    }

    @Test func noTimeoutGetsPastARuleThatCameFirst() {
        var policy = Policy()
        policy.onTimeout = .pass
        var stage = Stage(policy, evaluator: EvaluationCounter())
        stage.state.slice = Self.one
        for number in 0..<4 { stage.send(.bash("touch \(number)", id: "t\(number)")) }
        stage.respond("r_1", .deny, .session)
        stage.wait(100_000)
        for number in 1...4 { #expect(stage.isDenied(number)) }
    }

    /// Killed between two slices: the next daemon evaluates the others, in slices as well, and takes no answer before.
    @Test func aStartEvaluatesInSlices() {
        var stage = Self.stage(EvaluationCounter(), count: 5, slice: Self.one)
        stage.respond("r_1", .deny, .session)
        stage.kill()
        #expect(stage.pending.count > 1, "the start evaluates one slice")
        stage.respond("r_5", .allow)
        for number in 2...5 {
            stage.send(
                .bash("touch \(number - 1) xxxxxxxxxx", id: "t\(number - 1)"),
                from: HookSource(relayToken: "k\(number - 1)", bodyDigest: [1]))
        }
        stage.wait(1)
        while let wake = stage.state.nextWake(), wake <= stage.now.uptime { stage.wait(0) }
        #expect(stage.pending.isEmpty)
        for number in 2...5 {
            #expect(stage.state.request(id: "r_\(number)")?.resolution?.decision == .deny)
        }
    }
}

extension Stage {
    fileprivate func isDenied(_ number: Int) -> Bool {
        guard case .deny? = answers[Waiter(number: UInt64(number))]?.first else { return false }
        return true
    }
}

/// Counts the evaluations by deny rules, one for each request that is evaluated.
private final class EvaluationCounter: RuleEvaluator {
    private nonisolated(unsafe) var count = 0  // One test drives one stage on one thread.
    private let rules = PrefixEvaluator()

    @discardableResult
    func reset() -> Int {
        defer { count = 0 }
        return count
    }

    func denying(_ call: ToolCall, at place: RulePlace, among granted: GrantedRules) -> SessionRule? {
        count += 1
        return rules.denying(call, at: place, among: granted)
    }

    func allowing(_ call: ToolCall, at place: RulePlace, among granted: GrantedRules) -> [SessionRule] {
        rules.allowing(call, at: place, among: granted)
    }

    func offers(for call: ToolCall, at place: RulePlace) -> RuleOffers { rules.offers(for: call, at: place) }
    func onlyReads(_ call: ToolCall, at place: RulePlace) -> Bool { false }
    func editsUnderRoot(_ call: ToolCall, at place: RulePlace) -> Bool { false }
}
