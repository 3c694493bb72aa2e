import Core
import OrderedJSON
import Testing

/// Of two calls that look the same one was allowed: a dialog that may be the other's is not answered by that allow.
@Suite struct DialogClaimTests {
    private static let headless = HookSource(isAttended: false)
    private static let dialog = HookSource(relayToken: "dialog", bodyDigest: [1], isAttended: false)

    /// Call t1 is allowed and runs.
    private func allowed() -> Stage {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: Self.headless)
        stage.respond("r_1", .allow)
        return stage
    }

    /// The dialog of t2, which is held no longer, is sent twice: nobody allowed t2.
    private func expectNoAnswer(_ stage: inout Stage) {
        for _ in 1...2 {
            let hook = stage.send(.tool(.permissionRequest), from: Self.dialog)
            #expect(stage.answers[hook] == [.pass])
        }
    }

    @Test func aDialogThatIsSentAgainAfterATimeoutIsStillThatOfTheSameCall() {
        var stage = allowed()
        stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        stage.wait(60)
        expectNoAnswer(&stage)
    }

    @Test func aDialogThatIsSentAgainWithoutAnApproverIsStillThatOfTheSameCall() {
        var stage = allowed()
        stage.state.approversChanged(to: 0)
        stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        expectNoAnswer(&stage)
    }

    @Test func anAllowedDialogThatIsSentAgainIsAllowedAgain() {
        var stage = allowed()
        let first = stage.send(.tool(.permissionRequest), from: Self.dialog)
        let again = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[first] != nil && stage.answers[again] == stage.answers[first])
        let other = stage.send(.tool(.permissionRequest), from: HookSource(relayToken: "other", bodyDigest: [1]))
        #expect(stage.answers[other] == nil, "one call answers one dialog")
    }

    /// It came while its call was held, so it is of another call.
    @Test func anAllowGivenSinceTheDialogCameDoesNotAnswerIt() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: Self.headless)
        stage.state.approversChanged(to: 0)
        let first = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[first] == [.pass])
        stage.respond("r_1", .allow)
        let again = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[again] == [.pass])
    }

    /// The connection of the second call's hook broke, and Claude asks by itself before the daemon notices.
    @Test func whileACallIsHeldTheAllowOfAnotherAnswersNoDialog() {
        var stage = allowed()
        let waiter = stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        let dialog = stage.send(.tool(.permissionRequest), from: Self.dialog)
        stage.leave(waiter)
        #expect(stage.answers[dialog] == nil, "nobody allowed t2")
        let next = stage.send(.tool(.permissionRequest), from: HookSource(relayToken: "next", bodyDigest: [1]))
        #expect(stage.answers[next] == nil)
        #expect(stage.pending.count == 2)
    }

    /// The card of a dialog that may be another call's takes nothing from the allowed call, whose relay may come again.
    @Test func theAllowedCallKeepsItsAnswer() {
        let relay = HookSource(relayToken: "call", bodyDigest: [1], isAttended: false)
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: relay)
        stage.respond("r_1", .allow)
        stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        stage.send(.tool(.permissionRequest), from: Self.dialog)
        let again = stage.send(.bash("touch x", id: "t1"), from: relay)
        #expect(stage.answers[again] == [.allow(reason: "allowed by phone", updatedInput: nil)])
    }

    /// The deny reached no hook, or only the buffer of a connection that was broken: Claude asks by itself.
    @Test(arguments: [true, false]) func whereACallWasDeniedTheAllowOfAnotherAnswersNoDialog(_ isTaken: Bool) throws {
        var stage = allowed()
        let waiter = stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        stage.respond("r_2", .deny)
        stage.perform(stage.state.delivered(try #require(stage.receipts[waiter]), isTaken, at: stage.now))
        for token in ["dialog", "dialog", "next"] {
            let source = HookSource(relayToken: token, bodyDigest: [1], isAttended: false)
            let dialog = stage.send(.tool(.permissionRequest), from: source)
            #expect(stage.answers[dialog] == nil, "a person denied t2")
        }
        #expect(stage.pending.count == 2)
    }

    @Test func whereACallWasDeniedUnaskedTheAllowOfAnotherAnswersNoDialog() {
        var policy = Policy()
        policy.noApprover = .deny
        var stage = Stage(policy)
        stage.send(.bash("touch x", id: "t1"), from: Self.headless)
        stage.respond("r_1", .allow)
        stage.state.approversChanged(to: 0)
        stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        stage.state.approversChanged(to: 1)
        let dialog = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[dialog] == nil, "t2 was denied")
    }

    @Test func aDeniedCallThatIsOverIsInNobodysWay() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: Self.headless)
        stage.respond("r_1", .deny)
        let call: JSON = ["tool_use_id": "t1", "tool_name": "Bash", "tool_input": ["command": "touch x"]]
        stage.send(.turn(.postToolBatch, raw: ["tool_calls": [call]]), from: Self.headless)
        stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        stage.respond("r_2", .allow)
        let dialog = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[dialog] != nil)
    }

    /// More calls than a session's ledger holds: the call whose dialog it is was dropped.
    @Test func anAllowAnswersNoDialogOnceCallsWereDropped() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: Self.headless)
        for number in 0..<100 { stage.send(.bash("ls", id: "a\(number)"), from: Self.headless) }
        stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        stage.respond("r_2", .allow)
        for number in 0..<200 { stage.send(.bash("ls", id: "b\(number)"), from: Self.headless) }
        stage.wait(60)
        let dialog = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[dialog] == nil, "nobody allowed t1")
    }

    @Test func anAllowThatIsGivenAfterCallsWereDroppedAnswersNoDialogEither() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: Self.headless)
        for number in 0..<300 { stage.send(.bash("ls", id: "a\(number)"), from: Self.headless) }
        stage.send(.bash("touch x", id: "t2"), from: Self.headless)
        stage.respond("r_2", .allow)
        let dialog = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[dialog] == nil, "nobody allowed t1")
    }

    /// Its call was not announced. Its answer was lost, and a call that looks the same was allowed meanwhile.
    @Test func aDialogOfNoCallThatIsSentAgainIsNotThatOfALaterCall() {
        var stage = Stage(approvers: 0)
        let first = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[first] == [.pass])
        stage.state.approversChanged(to: 1)
        stage.send(.bash("touch x", id: "t1"), from: Self.headless)
        stage.respond(stage.pending[0].id, .allow)
        let again = stage.send(.tool(.permissionRequest), from: Self.dialog)
        #expect(stage.answers[again] == nil, "nobody allowed it")
        let own = stage.send(.tool(.permissionRequest), from: HookSource(relayToken: "own", bodyDigest: [1]))
        #expect(stage.answers[own] != nil, "the allowed call's dialog")
    }
}
