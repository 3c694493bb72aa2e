import Core
import Host
import OrderedJSON
import TestSupport
import Testing

/// Calls that rules cannot be asked about: too large ones, and those whose disk does not answer.
@Suite struct RuleLimitTests {
    private static let evaluator = EngineEvaluator(paths: DiskPaths(), commands: .shipped, home: "/home/u")

    @Test(arguments: [
        ("Bash", "command", "touch a", nil, false),
        ("Bash", "command", "ls " + String(repeating: "a ", count: 200), RuleLimit.tooLarge, false),
        ("Bash", "command", "ls " + String(repeating: "a/", count: 2100), .tooLarge, false),
        ("Bash", "command", "ls " + String(repeating: "a", count: 16_384), .tooLarge, true),
        ("Bash", "command", "ls $(a)", nil, true),
        ("Write", "file_path", "/p/" + String(repeating: "a/", count: 2100), .tooLarge, true),
        ("mcp__a__b", "x", String(repeating: "a", count: 20_000), nil, false),
    ])
    func theCardKnowsThatALimitEndedTheRequest(
        _ tool: String, _ member: String, _ text: String, _ limit: RuleLimit?, _ offersNothing: Bool
    ) {
        var stage = Stage(evaluator: Self.evaluator)
        stage.send(.tool(.preToolUse, tool, .object([member: .string(text)])))
        #expect(stage.pending.first?.ruleLimit == limit)
        #expect(stage.pending.first?.patterns.isEmpty == offersNothing)
    }

    // MARK: A disk that does not answer

    /// A call of this tool, about which nobody could say anything in time.
    private func sendUnknown(_ stage: inout Stage, _ tool: String, session: String = "s1", id: String = "u") throws
        -> Waiter
    {
        let event = AgentEvent.tool(.preToolUse, tool, ["command": "cp a b"], id: id, session: session)
        let call = HookCall.local(event, from: HookSource())
        let facts = try #require(stage.state.inquiry(call)).unknown
        stage.lastNumber += 1
        let waiter = Waiter(number: stage.lastNumber)
        stage.perform(stage.state.receive(call, waiter: waiter, facts: facts, at: stage.now))
        return waiter
    }

    /// A session in which a person denied something of Bash.
    private func denied(_ change: (inout Policy) -> Void = { _ in }) -> Stage {
        var policy = Policy()
        change(&policy)
        var stage = Stage(policy)
        let rule = SessionRule(
            id: "rule_1", sessionID: "s1", effect: .deny, pattern: "Bash(touch:*)", createdAt: stage.now.wall,
            grantedBy: "local", requestID: "r_0")
        stage.perform(stage.state.restore(Remembered(rules: [rule], sessions: [.live("s1")]), at: stage.now))
        return stage
    }

    private func isDeny(_ answer: HookAnswer?) -> Bool {
        if case .deny? = answer { true } else { false }
    }

    @Test(arguments: [Policy.NoApprover.pass, .deny]) func aDenyRuleThatMayForbidItWinsWhereNobodyIs(
        _ noApprover: Policy.NoApprover
    ) throws {
        var stage = denied { $0.noApprover = noApprover }
        stage.state.approversChanged(to: 0)
        let waiter = try sendUnknown(&stage, "Bash")
        #expect(isDeny(stage.answers[waiter]?.first))
        // What no deny rule is about goes on as ever.
        for (tool, session) in [("Write", "s1"), ("Bash", "s2")] {
            let other = try sendUnknown(&stage, tool, session: session)
            #expect(isDeny(stage.answers[other]?.first) == (noApprover == .deny))
        }
    }

    @Test(arguments: [true, false]) func itWinsOverNoOpinionWhenTimeIsUp(_ isUnknown: Bool) throws {
        var stage = denied { $0.onTimeout = .pass }
        let waiter = isUnknown ? try sendUnknown(&stage, "Bash") : stage.send(.bash("cp a b", id: "u"))
        #expect(stage.pending.first?.ruleLimit == (isUnknown ? .noAnswer : nil))
        stage.wait(60)
        #expect(isUnknown ? isDeny(stage.answers[waiter]?.first) : stage.answers[waiter] == [.pass])
    }

    /// The input is too large to be evaluated at the start.
    @Test(arguments: [Scope.once, .session]) func itWinsWhenTimeIsUpAfterARestart(_ scope: Scope) {
        var policy = Policy()
        policy.onTimeout = .pass
        var stage = Stage(policy)
        stage.send(.bash("touch a", id: "t1"))
        stage.respond("r_1", .deny, scope)
        let relay = HookSource(relayToken: "relay", bodyDigest: [1])
        let large = AgentEvent.bash("cp a " + String(repeating: "b", count: 20_000), id: "u")
        _ = stage.send(large, from: relay, diskHangs: true)
        stage.kill()
        let waiter = stage.send(large, from: relay)
        stage.wait(60)
        #expect(isDeny(stage.answers[waiter]?.first) == (scope == .session))
    }

    @Test func itWinsWhereTooManyAreAsked() throws {
        var stage = denied()
        for number in 1...Policy.heldPerSession { stage.send(.bash("cp \(number) b", id: "t\(number)")) }
        #expect(isDeny(stage.answers[try sendUnknown(&stage, "Bash")]?.first))
        #expect(stage.answers[stage.send(.bash("cp a b", id: "v"))] == [.pass])
    }

    /// The dialog that comes is another call's, and an answer to it is that call's.
    @Test func noDialogIsTiedToACallThatWasDeniedUnasked() throws {
        var stage = denied()
        for number in 1...Policy.heldPerSession { stage.send(.bash("cp \(number) b", id: "t\(number)")) }
        _ = try sendUnknown(&stage, "Bash")
        stage.send(.bash("cp a b", id: "v"))
        stage.respond("r_1", .allow)
        stage.send(.tool(.permissionRequest, "Bash", ["command": "cp a b"], id: nil))
        #expect(stage.pending.contains { $0.toolUseID == "v" })
    }
}
