import Core
import TestSupport
import Testing

/// `gate` at `auto`: where somebody sits at the terminal, a request stands beside Claude's own dialog.
@Suite struct AutoGateTests {
    private func stage() -> Stage {
        var policy = Policy()
        policy.gate = .auto
        return Stage(policy)
    }

    @Test func theAttendedCallIsAskedBesideTheDialogAndTheFirstAnswerCounts() {
        var stage = stage()
        let announced = stage.send(.bash("touch x"), from: HookSource(isAttended: true))
        #expect(stage.answers[announced] == [.pass] && stage.pending.isEmpty)
        let dialog = stage.send(.tool(.permissionRequest), from: HookSource(isAttended: true))
        #expect(stage.pending.map(\.isTerminalPrompt) == [true])
        stage.respond("r_1", .allow)
        #expect(stage.answers[dialog] == [.allow(reason: "allowed by phone", updatedInput: nil)])
    }

    @Test func theUnattendedCallIsHeldAtOnce() {
        var stage = stage()
        let announced = stage.send(.bash("touch x"), from: HookSource(isAttended: false))
        #expect(stage.answers[announced] == nil && stage.pending.count == 1)
        stage.respond("r_1", .allow)
        #expect(stage.answers[announced] == [.allow(reason: "allowed by phone", updatedInput: nil)])
    }

    @Test func aRuleSettlesTheAttendedCallAtOnce() {
        var stage = stage()
        stage.send(.bash("touch x", id: "t1"), from: HookSource(isAttended: true))
        stage.send(.tool(.permissionRequest), from: HookSource(isAttended: true))
        stage.respond("r_1", .allow, .session)
        let next = stage.send(.bash("touch y", id: "t2"), from: HookSource(isAttended: true))
        guard case .allow = stage.answers[next]?.first else {
            Issue.record("asked again")
            return
        }
    }

    /// Grok has no dialog that a hook could stand beside.
    @Test func anAgentWithoutThatEventIsHeldAtOnce() {
        var stage = stage()
        stage.send(.tool(.preToolUse, session: "grok:s", prompt: nil, mode: .bypassPermissions))
        #expect(stage.pending.count == 1)
    }
}
