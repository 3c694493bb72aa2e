import Core
import OrderedJSON
import Testing

/// A denied call that runs all the same is an alarm; one whose deny was never heard, or came too late, is not.
@Suite struct IgnoredDenyTests {
    private static let ran = AgentEvent.tool(.postToolUse)

    private static func alarms(_ stage: Stage) -> [IgnoredDeny] {
        stage.events.compactMap { if case .denyIgnored(let deny) = $0.body { deny } else { nil } }
    }

    private static func hear(_ stage: inout Stage, _ waiter: Waiter, _ isDelivered: Bool = true) throws {
        let receipt = try #require(stage.receipts[waiter])
        stage.perform(stage.state.delivered(receipt, isDelivered, at: stage.now))
    }

    static let ways = ["a person", "a rule", "the clock", "nobody"]

    private static func deny(_ stage: inout Stage, _ way: String) -> Waiter {
        switch way {
        case "a rule":
            stage.send(.bash("touch a", id: "toolu_0"))
            stage.respond("r_1", .deny, .session)
            return stage.send(.bash("touch x"))
        case "the clock":
            stage.state.policy.onTimeout = .deny
            let waiter = stage.send(.bash("touch x"))
            stage.wait(60)
            return waiter
        case "nobody":
            stage.state.policy.noApprover = .deny
            stage.state.approversChanged(to: 0)
            return stage.send(.bash("touch x"))
        default:
            let waiter = stage.send(.bash("touch x"))
            stage.respond("r_1", .deny)
            return waiter
        }
    }

    @Test(arguments: ways, [HookEventName.postToolUse, .postToolUseFailure])
    func aRunAfterADenyIsAnAlarmOnce(_ way: String, _ event: HookEventName) throws {
        var stage = Stage()
        let waiter = Self.deny(&stage, way)
        try Self.hear(&stage, waiter)
        stage.send(.tool(event))
        let alarm = try #require(Self.alarms(stage).first)
        #expect(alarm.toolUseID == "toolu_1" && alarm.toolName == "Bash" && alarm.sessionID == "s1")
        stage.send(.tool(event))
        stage.send(.tool(.postToolUse))
        #expect(Self.alarms(stage).count == 1 && stage.state.stats().ignoredDenies == 1)
    }

    /// Of another agent of the session, or of another tool, whose call has the same id.
    @Test(arguments: [AgentEvent.tool(.postToolUse, agent: "a1"), .tool(.postToolUse, "Read")])
    func theRunOfAnotherCallIsNone(_ other: AgentEvent) throws {
        var stage = Stage()
        try Self.hear(&stage, Self.deny(&stage, "a person"))
        stage.send(other)
        #expect(Self.alarms(stage).isEmpty)
        stage.send(Self.ran)
        #expect(Self.alarms(stage).count == 1)
    }

    /// Any process of this machine can announce a call with the same id.
    @Test func nobodyUnverifiedHidesARun() throws {
        var stage = Stage()
        try Self.hear(&stage, Self.deny(&stage, "a person"))
        stage.send(.bash("touch x"), from: HookSource(isVerified: false))
        stage.send(Self.ran)
        #expect(Self.alarms(stage).count == 1)
    }

    /// Any process of this machine can have a call with the same ids denied.
    @Test func noDenyOfAnUnverifiedCallHidesARun() throws {
        var stage = Stage()
        try Self.hear(&stage, Self.deny(&stage, "a rule"))
        try Self.hear(&stage, stage.send(.bash("touch x"), from: HookSource(isVerified: false)))
        stage.send(Self.ran)
        #expect(Self.alarms(stage).count == 1)
    }

    @Test(arguments: ways)
    func theNextDaemonKnowsWhatWasDenied(_ way: String) throws {
        var stage = Stage()
        let waiter = Self.deny(&stage, way)
        try Self.hear(&stage, waiter)
        stage.disk.commit([], .full, works: true)
        stage.kill()
        stage.send(Self.ran)
        #expect(Self.alarms(stage).map(\.toolUseID) == ["toolu_1"])
    }

    @Test(arguments: ways)
    func noAlarmWhereTheDenyWasNotHeard(_ way: String) throws {
        for isTold in [true, false] {
            var stage = Stage()
            let waiter = Self.deny(&stage, way)
            if isTold { try Self.hear(&stage, waiter, false) }
            stage.send(Self.ran)
            #expect(Self.alarms(stage).isEmpty)
        }
    }

    /// A batch lists denied calls too, another session may have the same id, and a stranger can say what he likes.
    @Test func noAlarmForWhatDoesNotTellOfARun() throws {
        var stage = Stage()
        try Self.hear(&stage, Self.deny(&stage, "a person"))
        let call: JSON = ["tool_name": "Bash", "tool_input": ["command": "touch x"], "tool_use_id": "toolu_1"]
        stage.send(.turn(.postToolBatch, raw: ["tool_calls": [call]]))
        stage.send(.turn(.stop))
        stage.send(.tool(.postToolUse, session: "s2"))
        stage.send(.tool(.postToolUse, id: "toolu_2"))
        stage.send(Self.ran, from: HookSource(isVerified: false))
        #expect(Self.alarms(stage).isEmpty)
    }

    /// Some models count their calls anew with each answer.
    @Test func noAlarmForALaterCallOfTheSameID() throws {
        var stage = Stage()
        try Self.hear(&stage, Self.deny(&stage, "a person"))
        stage.send(.bash("ls"))
        stage.send(Self.ran)
        #expect(Self.alarms(stage).isEmpty)
    }

    /// The terminal's dialog stood beside the request, and its yes was first: the deny is corrected.
    @Test func noAlarmWhereTheTerminalWasFirst() throws {
        var stage = Stage()
        stage.send(.tool(.preToolUse, mode: .plan))
        let waiter = stage.send(.tool(.permissionRequest, mode: .plan))
        let id = try #require(stage.pending.first?.id)
        stage.respond(id, .deny)
        try Self.hear(&stage, waiter)
        stage.send(Self.ran)
        #expect(Self.alarms(stage).isEmpty && stage.ends.last == "corrected: allow by terminal")
    }

    @Test func anAgentThatTriesWithoutEndDrownsNobody() throws {
        var stage = Stage()
        stage.send(.bash("touch a", id: "toolu_0"))
        stage.respond("r_1", .deny, .session)
        for number in 1...100 {
            let waiter = stage.send(.bash("touch x", id: "t\(number)"))
            try Self.hear(&stage, waiter)
            stage.send(.tool(.postToolUse, id: "t\(number)"))
        }
        #expect(Self.alarms(stage).count == BrokerState.mostIgnoredDenies && stage.state.stats().ignoredDenies == 100)
    }
}
