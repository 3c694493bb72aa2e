import Core
import OrderedJSON
import Testing

/// What a device leaves behind when it is revoked.
@Suite struct RevokedDeviceTests {
    private func revoke(_ stage: inout Stage, _ caller: Caller = Stage.phone) -> [SessionRule] {
        caller.deviceID.map { stage.state.dropDevice($0) } ?? []
    }

    @Test func theRulesItGrantedGo() {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow, .session)
        stage.send(.bash("mkdir y", id: "toolu_2", session: "s2"))
        stage.respond(stage.pending[0].id, .deny, .session)
        stage.send(.bash("date", id: "toolu_3"))
        stage.respond(stage.pending[0].id, .allow, .session, by: Stage.tablet)
        let dropped = revoke(&stage)
        #expect(dropped.map(\.pattern) == ["Bash(touch)", "Bash(mkdir)"])
        #expect(stage.state.rules(session: nil).map(\.pattern) == ["Bash(date)"])
        let waiter = stage.send(.bash("touch z", id: "toolu_4"))
        #expect(stage.answers[waiter] == nil, "it is asked again")
    }

    /// Its answer is being written when it is revoked: the decision stands, the rule does not.
    @Test(arguments: [true, false]) func whatItSaidStandsButGrantsNothing(_ storeWorks: Bool) {
        var stage = Stage()
        let waiter = stage.send(.bash("touch x"))
        stage.commitsAtOnce = false
        stage.storeWorks = storeWorks
        stage.respond("r_1", .allow, .session)
        let written = stage.commits.flatMap(\.changes).compactMap { change in
            if case .rule(let rule) = change { rule.id } else { nil }
        }
        #expect(revoke(&stage) == [] && written.count == 1)
        stage.settleCommits()
        #expect(stage.answers[waiter]?.count == 1)
        if storeWorks, case .allow = stage.answers[waiter]?[0] {} else { #expect(!storeWorks) }
        #expect(stage.state.rules(session: nil) == [])
        #expect(stage.appended.contains(.deleteRule(id: written[0])), "the store had it already")
    }

    /// Its rules stay, too: they are its own, whoever had the name before.
    @Test func anotherOfTheSameNameIsNotRevoked() {
        var stage = Stage()
        let next = Caller(identity: .device(id: "d9", name: "phone"), rights: .approver)
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow, .session, by: next)
        #expect(revoke(&stage) == [])
        #expect(stage.state.rules(session: nil).map(\.grantedBy) == ["device phone"])
        #expect(stage.state.isRevoked(Stage.phone) && !stage.state.isRevoked(next))
        #expect(!stage.state.isRevoked(Stage.terminal))
    }
}
