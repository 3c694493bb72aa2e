import Agents
import Core
import OrderedJSON
import TestSupport
import Testing

/// Agents other than Claude Code: Grok takes a deny and nothing else, Cursor is left to itself.
@Suite struct AgentTests {
    private static func grok(
        _ line: String = "touch x", id: String = "call_1", mode: PermissionMode = .bypassPermissions,
        raw: JSONObject = JSONObject()
    ) -> AgentEvent {
        .tool(
            .preToolUse, "Bash", ["command": .string(line)], id: id, session: "grok:s1", prompt: nil, mode: mode,
            raw: raw)
    }

    private static func policy(_ change: (inout Policy) -> Void) -> Policy {
        var policy = Policy()
        change(&policy)
        return policy
    }

    @Test func sessionsOfTwoAgentsAreTwo() {
        #expect(Agent.claude.sessionID("s1") == "s1" && Agent(sessionID: "s1") == .claude)
        #expect(Agent.grok.sessionID("s1") == "grok:s1" && Agent(sessionID: "grok:s1") == .grok)
        #expect(Agent(sessionID: "grokker") == .claude && Agent(sessionID: "cursor:") == .cursor)
        #expect(Agent(sessionID: Agent.grok.sessionID("\u{301}x")) == .grok, "a combining mark")
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow, .session)
        let other = stage.send(Self.grok())
        #expect(stage.answers[other] == nil, "a rule of Claude's session of the same id is none of Grok's")
    }

    static let gates: [(PermissionMode, Policy.Gate, Bool)] = [
        (.bypassPermissions, .toolCall, true), (.bypassPermissions, .always, true),
        (.bypassPermissions, .prompt, false), (.default, .toolCall, false), (.default, .always, true),
        (.auto, .toolCall, false), (.auto, .always, true), (.plan, .toolCall, false),
    ]

    /// Where it asks by itself, no hook can answer for it; where it asks nobody, ours is the only question.
    @Test(arguments: gates)
    func grokIsHeldWhereItAsksNobody(_ mode: PermissionMode, _ gate: Policy.Gate, _ isHeld: Bool) {
        var stage = Stage(Self.policy { $0.gate = gate })
        let waiter = stage.send(Self.grok(mode: mode))
        #expect(stage.answers[waiter] == (isHeld ? nil : [.pass]))
    }

    static let timeouts: [(Policy.OnTimeout, HookAnswer)] = [
        (.ask, .deny(message: "nobody answered within 60 s, and Grok cannot ask at its own prompt")),
        (.deny, .deny(message: "nobody answered within 60 s, and on_timeout is deny")), (.pass, .pass),
    ]

    /// `ask` would let the call run there.
    @Test(arguments: timeouts)
    func aRequestOfGroksThatNobodyAnswersIsDenied(_ onTimeout: Policy.OnTimeout, _ expected: HookAnswer) {
        var stage = Stage(Self.policy { $0.onTimeout = onTimeout })
        let waiter = stage.send(Self.grok(), from: HookSource(isAttended: true))
        stage.wait(60)
        #expect(stage.answers[waiter] == [expected])
    }

    @Test func whatGrokCannotBeToldIsNotTaken() {
        var stage = Stage()
        let waiter = stage.send(Self.grok())
        #expect(stage.pending.first?.patterns == [] && stage.pending.first?.denyPatterns == ["Bash(touch)"])
        for answer in [
            stage.respond("r_1", .ask), stage.respond("r_1", .allow, updatedInput: ["command": "true"]),
            stage.respond("r_1", .allow, .session, patterns: ["Bash(touch)"]),
        ] {
            guard case .failure(.invalid) = answer else {
                Issue.record("\(String(describing: answer))")
                continue
            }
        }
        #expect(stage.answers[waiter] == nil)
        guard case .success = stage.respond("r_1", .allow) else {
            Issue.record("an allow once is taken")
            return
        }
        #expect(stage.answers[waiter] == [.allow(reason: "allowed by phone", updatedInput: nil)])
    }

    /// No opinion would be a go.
    @Test func whatCannotBeAskedOrWrittenIsDenied() {
        var stage = Stage()
        for number in 1...Policy.heldPerSession { stage.send(Self.grok(id: "call_\(number)")) }
        let surplus = stage.send(Self.grok(id: "call_x"))
        guard case .deny = stage.answers[surplus]?.first else {
            Issue.record("a question too many ran")
            return
        }
        stage.storeWorks = false
        stage.respond("r_1", .allow)
        #expect(stage.answers[Waiter(number: 1)]?.first == .deny(message: Self.unrecorded))
    }

    /// Its relay comes for the answer later than anybody expected, as after the machine's sleep.
    @Test(arguments: [nil, Decision.deny])
    func whatNobodyDecidedInTimeIsDenied(_ decision: Decision?) {
        let relay = HookSource(relayToken: "k", bodyDigest: [1])
        var before = Stage()
        before.send(Self.grok(), from: relay)
        var stage = Stage.restarted(before.pending, at: before.now)
        if let decision { stage.respond("r_1", decision) }
        stage.wait(20)
        let late = stage.send(Self.grok(), from: relay)
        guard case .deny = stage.answers[late]?.first else {
            Issue.record("it ran, and nobody allowed it: \(String(describing: stage.answers[late]))")
            return
        }
    }

    /// Any process inside the agent can report that.
    @Test(arguments: [HookEventName.postToolUse, .stop, .sessionEnd])
    func aReportThatTheCallIsOverLetsNothingRun(_ name: HookEventName) {
        var stage = Stage()
        let waiter = stage.send(Self.grok())
        let tool = name == .postToolUse ? Self.grok().tool : nil
        stage.send(AgentEvent(name: name, sessionID: "grok:s1", cwd: "/p", tool: tool))
        guard case .deny = stage.answers[waiter]?.first else {
            Issue.record("it ran, and nobody allowed it: \(String(describing: stage.answers[waiter]))")
            return
        }
    }

    private static let unrecorded =
        "the allow could not be written down, so it was not given; the call is denied"

    @Test func aDenyRuleHoldsWhatCannotBeSeen() {
        var stage = Stage(approvers: 1)
        stage.send(Self.grok("rm a"))
        stage.respond("r_1", .deny, .session)
        for event in [
            Self.grok("rm b", id: "call_2", mode: .default),
            Self.grok("touch x", id: "call_3", mode: .default, raw: ["tool_input_truncated": true]),
        ] {
            let waiter = stage.send(event)
            guard case .deny = stage.answers[waiter]?.first else {
                Issue.record("not denied: \(event.tool?.input ?? .null)")
                continue
            }
        }
        #expect(stage.answers[stage.send(Self.grok("touch y", id: "call_4", mode: .default))] == [.pass])
    }

    /// The call was held when a person denied others.
    @Test(arguments: [true, false]) func aDenyRuleHoldsWhatWaitsAndCannotBeSeen(_ isKilled: Bool) {
        var policy = Policy()
        policy.onTimeout = .pass
        var stage = Stage(policy)
        let cut = Self.grok("touch x", id: "call_1", raw: ["tool_input_truncated": true])
        let relay = HookSource(relayToken: "k", bodyDigest: [1])
        var waiter = stage.send(cut, from: relay)
        #expect(stage.pending.first?.ruleLimit == .uncertainInput)
        stage.writeAppended()
        if isKilled { stage.kill() }
        stage.send(Self.grok("rm a", id: "call_2"), from: HookSource(relayToken: "l", bodyDigest: [2]))
        stage.respond("r_2", .deny, .session)
        if isKilled {
            #expect(stage.pending.count == 1, "its relay will say what is uncertain")
            waiter = stage.send(cut, from: relay)
        }
        guard case .deny(let message)? = stage.answers[waiter]?.first else {
            Issue.record("\(stage.ends)")
            return
        }
        #expect(message.contains("only the beginning"))
    }

    @Test func aRestoredCallOfWhichAllIsShownIsHeldOn() {
        var stage = Stage()
        let relay = HookSource(relayToken: "k", bodyDigest: [1])
        stage.send(Self.grok("touch x", id: "call_1"), from: relay)
        stage.writeAppended()
        stage.kill()
        stage.send(Self.grok("rm a", id: "call_2"), from: HookSource(relayToken: "l", bodyDigest: [2]))
        stage.respond("r_2", .deny, .session)
        let waiter = stage.send(Self.grok("touch x", id: "call_1"), from: relay)
        #expect(stage.answers[waiter] == nil && stage.pending.count == 1)
    }

    private static func subagent(_ line: String, id: String, session: String = "grok:sub") -> AgentEvent {
        .tool(
            .preToolUse, "Bash", ["command": .string(line)], id: id, session: session, prompt: nil,
            mode: .bypassPermissions)
    }

    /// Grok's subagents are sessions of their own, in one process.
    @Test func aDenyRuleHoldsInAllSessionsOfOneGrok() {
        var stage = Stage()
        let ours = HookSource(claudePID: 7)
        let waiting = stage.send(Self.subagent("rm c", id: "c0"), from: ours)
        stage.send(Self.grok("rm a"), from: ours)
        stage.respond("r_2", .deny, .session)
        #expect(stage.answers[waiting]?.count == 1, "what waited already")
        let call = stage.send(Self.subagent("rm b", id: "c1", session: "grok:new"), from: ours)
        guard case .deny(let message)? = stage.answers[call]?.first else {
            Issue.record("a subagent ran what was denied")
            return
        }
        #expect(message.contains("Bash(rm)"))
        for (number, source) in [HookSource(claudePID: 8), HookSource(), HookSource(claudePID: 7, isVerified: false)]
            .enumerated()
        {
            let other = stage.send(Self.subagent("rm b", id: "d\(number)", session: "grok:o\(number)"), from: source)
            #expect(stage.answers[other] == nil, "another process, or one that only says so")
        }
        let claude = stage.send(.bash("rm b", id: "e"), from: ours)
        #expect(stage.answers[claude] == nil, "another agent's")
        #expect(stage.answers[stage.send(Self.subagent("touch x", id: "f"), from: ours)] == nil)
    }

    /// A session that is restored in a second process takes its denies along, and is told those of the others.
    @Test func aSessionThatJoinsAProcessIsEvaluatedAnew() {
        var stage = Stage()
        let (first, second) = (HookSource(claudePID: 7), HookSource(claudePID: 8))
        stage.send(Self.grok("rm a"), from: first)
        stage.respond("r_1", .deny, .session)
        let held = stage.send(Self.subagent("rm b", id: "c1"), from: second)
        #expect(stage.answers[held] == nil, "another process")
        stage.send(Self.subagent("touch x", id: "c2"), from: first)
        guard case .deny? = stage.answers[held]?.first else {
            Issue.record("not evaluated anew")
            return
        }
    }

    @Test func cursorIsLeftToItselfAndEverybodyMayKnow() {
        var stage = Stage()
        for (number, name) in [HookEventName.other("sessionStart"), .preToolUse, .postToolUse].enumerated() {
            let event = AgentEvent(
                name: name, sessionID: "cursor:c1", cwd: "/p",
                tool: ToolCall(name: "Shell", input: ["command": "rm -rf x"], useID: "t\(number)"))
            #expect(stage.answers[stage.send(event)] == [.pass])
        }
        #expect(stage.cards.isEmpty && stage.state.sessionViews(at: stage.now).isEmpty)
        #expect(stage.appended.allSatisfy { if case .sequenceCeiling = $0 { true } else { false } })
        #expect(stage.events.count == 1 && stage.state.stats().bystanders.map(\.agent) == [.cursor])
        for number in 1...100 { stage.send(AgentEvent(name: .preToolUse, sessionID: "cursor:n\(number)")) }
        #expect(stage.events.count == BrokerState.mostBystanders)
        stage.send(AgentEvent(name: .preToolUse, sessionID: "cursor:u"), from: HookSource(isVerified: false))
        #expect(stage.state.stats().bystanders.first?.sessionID == "cursor:n100", "anybody could have sent it")
    }
}
