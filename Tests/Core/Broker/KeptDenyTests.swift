import Core
import Testing

/// A deny for the session that a person was told of is known to the next daemon.
@Suite struct KeptDenyTests {
    /// Whoever tries again is not told of success either while a killed daemon would lose the rule.
    @Test func aDenyThatCannotBeWrittenIsNotConfirmedWhenItIsRepeated() {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.storeWorks = false
        stage.respond("r_1", .deny, .session)
        guard case .failure(.unrecorded) = stage.respond("r_1", .deny, .session) else {
            Issue.record("confirmed, though a killed daemon would lose it")
            return
        }
        let byToolUse = PermissionResponse(target: .toolUse(id: "t1"), decision: .deny, scope: .session)
        #expect(throws: ResponseFailure.self) { try stage.respond([byToolUse])?.first?.get() }
        #expect(throws: ResponseFailure.self) { try stage.respond("r_1", .deny)?.get() }
        stage.storeWorks = true
        #expect((try? stage.respond("r_1", .deny)?.get())?.decision == .deny, "the call itself was denied")
        #expect((try? stage.respond("r_1", .deny, .session)?.get())?.scope == .session)
        stage.kill()
        #expect(stage.state.rules(session: "s1").map(\.effect) == [.deny])
    }

    /// A rule that ends while its repeated deny is being written is neither confirmed nor written for good.
    @Test(arguments: [true, false]) func aRuleThatEndsWhileItsDenyIsRepeatedStaysAway(_ isRevoked: Bool) {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"), from: HookSource(claudePID: 7))
        stage.respond("r_1", .deny, .session)
        stage.commitsAtOnce = false
        stage.respond("r_1", .deny, .session)
        if isRevoked { stage.revoke(device: "d1") } else { stage.wait(90_000) }
        stage.settleCommits()
        #expect(stage.results.values.compactMap { try? $0.first?.get() }.map(\.rules.count).sorted() == [0, 1])
        stage.writeAppended()
        #expect(stage.disk.rules.isEmpty)
    }

    /// The store removes rows of sessions that were silent for `retention_days`.
    @Test(arguments: [true, false]) func aRuleIsWrittenWithItsSession(_ isWrittenAtOnce: Bool) {
        var stage = Stage()
        stage.send(.bash("touch x", id: "t1"))
        stage.writeAppended()
        stage.disk.forgetSessions()
        stage.storeWorks = isWrittenAtOnce
        stage.respond("r_1", .deny, .session)
        if !isWrittenAtOnce { stage.writeAppended() }
        stage.kill()
        #expect(stage.state.rules(session: "s1").map(\.effect) == [.deny])
    }
}
