import Core
import OrderedJSON
import TestSupport
import Testing

/// Somebody sets the clock while something lasts: nothing lasts longer for it, and nothing ends early.
struct ClockTests {
    private static let relay = HookSource(relayToken: "abc", bodyDigest: [1])
    private static let hour: Double = 3600

    @Test(arguments: [-25 * hour, -hour, -20, 20, hour, 25 * hour] as [Double])
    func aHeldCallWaitsAsLongAsItWasTold(_ shift: Double) {
        var policy = Policy()
        policy.onTimeout = .deny
        var stage = Stage(policy)
        let waiter = stage.send(.bash("touch x"), from: Self.relay)
        stage.wait(10)
        stage.setClock(by: shift)
        stage.wait(49)
        #expect(stage.ends.isEmpty)
        #expect(stage.state.nextWake() == stage.now.uptime + 1)
        stage.wait(1)
        #expect(stage.ends == ["deny by timeout"])
        guard case .deny? = stage.answers[waiter]?.first else {
            Issue.record("told \(stage.answers[waiter] ?? [])")
            return
        }
    }

    /// The clock is set, as at the first look at a time server, while the answer is being written.
    @Test(arguments: [-25 * hour, hour, 25 * hour] as [Double], [Decision.allow, .deny])
    func aRuleThatIsBeingWrittenHasItsWholeDay(_ shift: Double, _ decision: Decision) {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.commitsAtOnce = false
        stage.respond("r_1", decision, .session)
        stage.setClock(by: shift)
        stage.settleCommits()
        stage.wait(24 * Self.hour - 1)
        #expect(stage.state.rules(session: "s1").count == 1)
        stage.wait(31)
        #expect(stage.state.rules(session: "s1").isEmpty)
    }

    /// - Parameters:
    ///   - shift: By which the clock is set while no daemon runs.
    ///   - left: Of the sixty seconds, ten were over.
    @Test(arguments: [(0, 50), (-hour, 50), (20, 30), (49, 1)] as [(Double, Double)])
    func overARestartTheShorterTimeCounts(_ shift: Double, _ left: Double) {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        before.wait(7)
        let after = restarted(before.pending, at: before.now + 3, shift)
        #expect(after.pending.map(\.due) == [after.now.uptime + left])
        #expect(
            after.pending.map(\.deadline) == [after.now.wall + left], "people are shown when it ends by their clock")
    }

    /// An allow rule ends where either clock says so; a deny rule only by the clock that nobody can set.
    @Test(arguments: [Decision.allow, .deny]) func overARestartAClockSetAheadEndsNoDeny(_ decision: Decision) {
        var stage = Stage()
        stage.send(.bash("touch x"))
        stage.respond("r_1", decision, .session)
        stage.setClock(by: 25 * Self.hour)
        stage.kill()
        #expect(stage.state.rules(session: nil).count == (decision == .deny ? 1 : 0))
        stage.wait(23 * Self.hour)
        let waiter = stage.send(.bash("touch y", id: "t2"))
        if case .deny? = stage.answers[waiter]?.first {
            #expect(decision == .deny)
        } else {
            #expect(decision == .allow && stage.answers[waiter] == nil)
        }
    }

    @Test func whatTheClockSaysIsOverEndsAtOnce() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        let after = restarted(before.pending, at: before.now + 3, Self.hour)
        #expect(after.ends == ["ask by timeout"])
    }

    @Test func ofAnotherStartOfTheMachineOnlyTheTimeOfDayIsLeft() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        var open = before.pending
        open[0].due = nil
        let now = Instant(wall: before.now.wall + 20, uptime: Uptime(milliseconds: 5000))
        let after = restarted(open, at: now, 0)
        #expect(after.pending.map(\.due) == [now.uptime + 40])
    }

    /// Nothing but that time is known, and no request is open for longer than a request may be.
    @Test(arguments: [-20, -hour, -25 * hour] as [Double])
    func ofAnotherStartOfTheMachineNothingWaitsLongerThanAnyRequest(_ shift: Double) {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        before.wait(10)
        var open = before.pending
        open[0].due = nil
        let after = restarted(open, at: before.now, shift)
        #expect(after.pending.map(\.due) == [after.now.uptime + 60])
        #expect(after.pending.map(\.deadline) == [after.now.wall + 60])
    }

    @Test func aLostRelayIsLostAfterTenSeconds() {
        var before = Stage()
        before.send(.bash("touch x"), from: Self.relay)
        var after = restarted(before.pending, at: before.now, 0)
        after.setClock(by: -Self.hour)
        after.wait(9.9)
        #expect(after.ends.isEmpty)
        after.wait(0.1)
        #expect(after.ends == ["pass by lost"])
    }

    @Test(arguments: [-30 * hour, 30 * hour] as [Double])
    func aRuleLivesForADay(_ shift: Double) {
        var stage = Stage()
        stage.send(.turn(.sessionStart), from: HookSource(claudePID: 7))
        stage.send(.bash("touch x"))
        stage.respond("r_1", .allow, .session)
        stage.setClock(by: shift)
        for _ in 0..<23 { stage.wait(Self.hour) }
        #expect(stage.state.rules(session: nil).count == 1)
        stage.wait(Self.hour)
        #expect(stage.state.rules(session: nil).isEmpty)
    }

    /// Restored with a clock that was set back: no older than it can be, and a day from now at the most.
    @Test func aRuleOfTheFutureLivesForADay() {
        var before = Stage()
        before.send(.turn(.sessionStart), from: HookSource(claudePID: 7))
        before.send(.bash("touch x"))
        before.respond("r_1", .allow, .session)
        var after = Stage()
        after.now = Instant(wall: before.now.wall + -30 * Self.hour, uptime: before.now.uptime)
        let sessions = before.state.sessionViews(at: before.now).map(\.session)
        let remembered = Remembered(rules: before.state.rules(session: nil), sessions: sessions)
        after.perform(after.state.restore(remembered, at: after.now))
        #expect(after.state.rules(session: nil).count == 1)
        after.wait(24 * Self.hour)
        #expect(after.state.rules(session: nil).isEmpty)
    }

    @Test(arguments: [-30 * hour, 30 * hour] as [Double])
    func aSessionIsForgottenAfterADayOfSilence(_ shift: Double) {
        var stage = Stage()
        stage.send(.turn(.sessionStart))
        stage.setClock(by: shift)
        stage.wait(23 * Self.hour)
        #expect(stage.state.stats().activeSessions == 1)
        stage.wait(Self.hour)
        #expect(stage.state.stats().activeSessions == 0)
    }

    private func restarted(_ requests: [PermissionRequest], at now: Instant, _ shift: Double) -> Stage {
        var stage = Stage()
        stage.now = Instant(wall: now.wall + shift, uptime: now.uptime)
        stage.perform(stage.state.restore(Remembered(requests: requests), at: stage.now))
        return stage
    }
}
