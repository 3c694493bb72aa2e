import Core
import Testing

/// Hooks that a device sends with its token: nothing that this machine's hooks began is theirs to end.
@Suite struct DeviceHookTests {
    private func granted(_ decision: Decision) throws -> Stage {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.respond(try #require(stage.pending.first?.id), decision, .session)
        return stage
    }

    @Test(arguments: [HookEventName.sessionEnd, .stop, .userPromptSubmit, .sessionStart])
    func itEndsNothingOfThisMachine(_ name: HookEventName) throws {
        var stage = try granted(.deny)
        stage.send(.bash("mkdir y", id: "t2"))
        let asked = stage.pending.map(\.id)
        stage.sendFromDevice(.turn(name, raw: ["reason": "clear", "source": "clear"]))
        stage.sendFromDevice(.tool(.postToolUse, id: "t2"))
        #expect(stage.pending.map(\.id) == asked)
        #expect(stage.state.rules(session: "s1").map(\.effect) == [.deny])
    }

    @Test func noRuleOfThisMachinesSessionSettlesItsCall() throws {
        var stage = try granted(.allow)
        let own = stage.send(.bash("touch z", id: "t2"))
        guard case .allow = stage.answers[own]?.first else {
            Issue.record("the rule settles the session's own call")
            return
        }
        let made = stage.sendFromDevice(.bash("touch z", id: "t3"))
        #expect(stage.answers[made] == nil && stage.pending.map(\.isUnverified) == [true])
    }

    /// Also where an earlier session of the device had the id.
    @Test func aSessionOfThisMachineBeginsAnew() throws {
        var stage = Stage()
        stage.sendFromDevice(.bash("touch x", id: "t1"))
        stage.respond(try #require(stage.pending.first?.id), .allow, .session)
        #expect(stage.state.rules(session: "s1").count == 1)
        let own = stage.send(.bash("touch x", id: "t2"))
        #expect(stage.answers[own] == nil && stage.state.rules(session: "s1").isEmpty)
        #expect(stage.pending.map(\.isUnverified) == [false])
    }

    @Test func itsSessionsTakeNoRoomOfThisMachines() throws {
        var stage = try granted(.deny)
        for number in 0..<1500 {
            stage.now = stage.now + 1
            stage.sendFromDevice(.turn(.sessionStart, session: "made up \(number)"))
        }
        #expect(stage.state.rules(session: "s1").map(\.effect) == [.deny])
        let known = Set(stage.state.sessionViews(at: stage.now).map(\.session.id))
        #expect(known.count == 1001 && known.contains("s1") && known.contains("made up 1499"))
    }
}
