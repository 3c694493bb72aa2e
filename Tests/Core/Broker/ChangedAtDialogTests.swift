import Core
import OrderedJSON
import TestSupport
import Testing

/// A call that a person changed at its dialog is told to the model once it has run.
@Suite struct ChangedAtDialogTests {
    private func answer(
        update: JSON? = ["command": "touch y"], ran: JSON = ["command": "touch y"], name: HookEventName = .postToolUse,
        source: HookSource = HookSource(), decision: Decision = .allow
    ) -> HookAnswer? {
        var policy = Policy()
        policy.gate = .prompt
        var stage = Stage(policy)
        stage.send(.bash("touch x"))
        stage.send(.tool(.permissionRequest))
        stage.respond("r_1", decision, updatedInput: update)
        let waiter = stage.send(.tool(name, "Bash", ran), from: source)
        return stage.answers[waiter]?.first
    }

    @Test func isToldOnceItRan() {
        let changed = HookAnswer.changed(
            asked: KeptJSON(["command": "touch x"]), ran: KeptJSON(["command": "touch y"]))
        #expect(answer() == changed)
    }

    @Test func nothingElseIs() {
        #expect(answer(update: nil, ran: ["command": "touch x"]) == .pass)
        #expect(answer(update: ["command": "touch y"], ran: ["command": "touch x"]) == .pass)
        #expect(answer(name: .postToolUseFailure) == .pass)
        #expect(answer(source: HookSource(isVerified: false)) == .pass)
        #expect(answer(update: nil, decision: .deny) == .pass)
    }

    /// It was told with the allow.
    @Test func aCallThatWasChangedAtPreToolUseIsNotToldAgain() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow, updatedInput: ["command": "touch y"])
        let waiter = stage.send(.tool(.postToolUse, "Bash", ["command": "touch y"]))
        #expect(stage.answers[waiter] == [.pass])
    }

    /// A call that a person is about to run changed, after a restart too.
    private static func changed() -> Stage {
        var policy = Policy()
        policy.gate = .prompt
        var stage = Stage(policy)
        #expect(!stage.state.awaitsChangedCall)
        stage.send(.bash("touch x"))
        stage.send(.tool(.permissionRequest))
        #expect(!stage.state.awaitsChangedCall)
        stage.respond("r_1", .allow, updatedInput: ["command": "touch y"])
        #expect(stage.state.awaitsChangedCall)
        return stage
    }

    @Test(arguments: [HookEventName.postToolUse, .postToolUseFailure, .sessionEnd])
    func isAwaitedUntilItIsOver(_ end: HookEventName) {
        var stage = Self.changed()
        stage.send(.tool(.postToolUse, "Bash", ["command": "touch z"], id: "another"))
        #expect(stage.state.awaitsChangedCall)
        // Any process of this machine can say that, and the model would not be told.
        stage.send(.tool(end, "Bash", ["command": "touch y"]), from: HookSource(isVerified: false))
        #expect(stage.state.awaitsChangedCall)
        stage.send(end == .sessionEnd ? .turn(end) : .tool(end, "Bash", ["command": "touch y"]))
        #expect(!stage.state.awaitsChangedCall)
    }

    @Test func isAwaitedAfterARestart() {
        var stage = Self.changed()
        stage.kill()
        #expect(stage.state.awaitsChangedCall)
        let waiter = stage.send(.tool(.postToolUse, "Bash", ["command": "touch y"]))
        guard case .changed? = stage.answers[waiter]?.first else {
            Issue.record("not told")
            return
        }
        #expect(!stage.state.awaitsChangedCall)
    }
}
