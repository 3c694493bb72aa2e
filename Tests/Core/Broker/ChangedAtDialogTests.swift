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
}
