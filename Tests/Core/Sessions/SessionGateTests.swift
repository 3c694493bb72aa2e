import Core
import TestSupport
import Testing

/// A gate for one session takes the place of the configuration's.
@Suite struct SessionGateTests {
    private func stage(_ gate: Policy.Gate = .auto) -> Stage {
        var policy = Policy()
        policy.gate = gate
        var stage = Stage(policy)
        stage.send(.turn(.sessionStart, prompt: nil))
        return stage
    }

    private func view(_ stage: Stage) -> SessionView { stage.state.sessionViews(at: stage.now)[0] }

    @Test func asksAboutEverythingInOneSession() {
        var stage = stage()
        #expect(stage.setGate(.always) == .success(.always))
        stage.send(.tool(.preToolUse, id: "t1", mode: .auto))
        stage.send(.tool(.preToolUse, id: "t2", session: "s2", mode: .auto))
        #expect(stage.pending.map(\.toolUseID) == ["t1"])
        let views = stage.state.sessionViews(at: stage.now)
        #expect(views.map(\.gate) == [.always, .auto] && views.map(\.session.gate) == [.always, nil])
        #expect(views[0].modeNote == nil && views[1].modeNote != nil)
    }

    @Test func nullGivesTheConfigurationsBack() {
        var stage = stage(.prompt)
        stage.setGate(.toolCall)
        #expect(stage.setGate(nil) == .success(.prompt))
        stage.send(.bash("touch x"))
        #expect(stage.pending.isEmpty && view(stage).session.gate == nil && view(stage).gate == .prompt)
    }

    /// Somebody sits at the terminal or not, as with the configuration's.
    @Test func autoIsResolvedForEachCall() {
        var stage = stage(.always)
        stage.setGate(.auto)
        stage.send(.bash("touch x", id: "t1"), from: HookSource(isAttended: true))
        stage.send(.bash("touch y", id: "t2"), from: HookSource(isAttended: false))
        #expect(stage.pending.map(\.toolUseID) == ["t2"])
    }

    @Test func whatIsHeldStaysHeld() {
        var stage = stage(.toolCall)
        stage.send(.bash("touch x"))
        stage.setGate(.prompt)
        #expect(stage.pending.count == 1)
    }

    @Test func isConfirmedOnceItIsWritten() {
        var stage = stage()
        stage.commitsAtOnce = false
        #expect(stage.setGate(.always) == nil)
        #expect(stage.commits.map(\.durability) == [.full])
        stage.settleCommits()
        #expect(stage.gates.values.map { $0 } == [.success(.always)])
    }

    @Test func isAsItWasWhereItCannotBeWritten() {
        var stage = stage()
        stage.setGate(.toolCall)
        stage.storeWorks = false
        #expect(stage.setGate(.prompt) == .failure(.unwritten))
        #expect(view(stage).session.gate == .toolCall)
        guard case .session(let kept)? = stage.appended.last else {
            Issue.record("not written")
            return
        }
        #expect(kept.gate == .toolCall)
    }

    /// The disk is full, and two people set a gate at a time.
    @Test func isAsItWasWhereTwoChangesCannotBeWritten() {
        var stage = stage()
        stage.setGate(.toolCall)
        stage.commitsAtOnce = false
        for gate in [Policy.Gate.prompt, .always] { stage.setGate(gate) }
        stage.storeWorks = false
        stage.settleCommits()
        #expect(stage.gates.values.filter { $0 == .failure(.unwritten) }.count == 2)
        #expect(view(stage).session.gate == .toolCall)
    }

    @Test func theSecondOfTwoChangesCountsWhereOnlyTheFirstCannotBeWritten() {
        var stage = stage()
        stage.commitsAtOnce = false
        for gate in [Policy.Gate.prompt, .always] { stage.setGate(gate) }
        let (first, second) = (stage.commits.removeFirst(), stage.commits.removeFirst())
        stage.perform(stage.state.committed(first.id, false, at: stage.now))
        stage.disk.commit(second.changes, second.durability, works: true)
        stage.perform(stage.state.committed(second.id, true, at: stage.now))
        stage.writeAppended()
        #expect(view(stage).session.gate == .always)
        #expect(stage.disk.remembered.sessions.map(\.gate) == [.always])
    }

    @Test func endsWithTheSession() {
        var stage = stage()
        #expect(stage.setGate(.always, session: "s9") == .failure(.unknown(id: "s9")))
        stage.setGate(.always)
        stage.send(.turn(.sessionEnd, prompt: nil))
        #expect(stage.setGate(.always) == .failure(.unknown(id: "s1")))
        stage.send(.turn(.sessionStart, prompt: nil))
        #expect(view(stage).gate == .auto)
    }

    @Test func outlivesTheDaemon() {
        var stage = stage()
        stage.setGate(.always)
        var next = Stage()
        next.perform(next.state.restore(Remembered(sessions: [view(stage).session]), at: stage.now))
        #expect(view(next).gate == .always)
    }
}
