import Core
import Testing

/// A person's allow of a call answers one dialog that looks like the call, once a hook has heard it.
@Suite struct UnheardAllowTests {
    private static let relay = HookSource(relayToken: "abc", bodyDigest: [1])

    @Test func anAllowBeforeTheRestartAnswersNoOtherDialog() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        before.respond("r_1", .allow)
        let ended = [before.state.request(id: "r_1")].compactMap { $0 }
        var after = Stage.restarted(ended, at: before.now + 2)
        let prompt = after.send(.tool(.permissionRequest))
        #expect(after.answers[prompt] == nil, "that call may have run; this one was announced to nobody")
        var returned = Stage.restarted(ended, at: before.now + 2)
        returned.send(.bash("touch x"), from: Self.relay)
        let dialog = returned.send(.tool(.permissionRequest))
        #expect(returned.answers[dialog]?.isEmpty == false, "its hook came for the answer: this is its dialog")
    }

    @Test func anAllowThatNoHookHasHeardAnswersNoOtherDialog() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        var after = Stage.restarted(before.pending, at: before.now + 1)
        after.respond("r_1", .allow)
        let prompt = after.send(.tool(.permissionRequest))
        #expect(after.answers[prompt] == nil, "nobody knows whether this is the call that was allowed")
    }

    @Test func anAllowWhoseConnectionBrokeAnswersNoOtherDialog() {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        stage.respond("r_1", .allow)
        if let receipt = stage.receipts[waiter] { stage.perform(stage.state.delivered(receipt, false, at: stage.now)) }
        let prompt = stage.send(.tool(.permissionRequest))
        #expect(stage.answers[prompt] == nil, "the hook did not hear the allow")
    }
}
