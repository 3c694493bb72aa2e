import Core
import Testing

/// A session that goes on while an earlier end of it is still being written: the next daemon knows it with its rules.
@Suite struct ReturningSessionTests {
    /// A deny for the session, confirmed to the person who gave it.
    private func denied(_ stage: inout Stage) throws {
        stage.settleCommits()
        let id = try #require(stage.pending.first?.id)
        stage.respond(id, .deny, .session)
        stage.settleCommits()
        #expect(try stage.results.values.first?.first?.get().rules.count == 1)
    }

    private func stage(startTime: @escaping @Sendable (Int32) -> UInt64?) -> Stage {
        var stage = Stage(startTime: startTime)
        stage.commitsAtOnce = false
        stage.send(.bash("ls"), from: HookSource(claudePID: 41))
        stage.settleCommits()
        stage.writeAppended()
        return stage
    }

    /// Its process was killed, and another one continues the session before anybody noticed.
    @Test func aSessionThatAnotherProcessContinuesKeepsItsDenies() throws {
        let machine = Machine()
        var stage = stage { machine.ended == $0 ? nil : 5 }
        machine.ended = 41
        stage.send(.bash("touch x", id: "t2"), from: HookSource(claudePID: 42))
        #expect(stage.commits.contains { $0.durability == .removal }, "the session of the first process has ended")
        try denied(&stage)
        stage.kill()
        #expect(stage.state.rules(session: "s1").map(\.effect) == [.deny])
    }

    /// It is resumed in another process while a deny is being written. The row that names the process is appended, and
    /// written before the commit's.
    @Test(arguments: [true, false]) func aSessionThatAnotherProcessContinuesMeanwhileKeepsThem(_ isGate: Bool) throws {
        var stage = Stage(startTime: { _ in 5 })
        stage.commitsAtOnce = false
        stage.send(.bash("touch x", id: "t2"), from: HookSource(claudePID: 99))
        if isGate { try denied(&stage) }
        stage.settleCommits()
        if isGate { stage.setGate(.always) } else { stage.respond(stage.pending[0].id, .deny, .session) }
        stage.send(.turn(.userPromptSubmit), from: HookSource(claudePID: 42))
        stage.settleCommits()
        stage.writeAppended()
        stage.kill()
        #expect(stage.state.rules(session: "s1").map(\.effect) == [.deny])
    }

    @Test(arguments: [true, false]) func aSessionThatIsResumedKeepsItsDenies(_ isEndWritten: Bool) throws {
        var stage = stage { _ in 5 }
        stage.send(.turn(.sessionEnd))
        stage.send(.bash("touch x", id: "t2"))
        stage.storeWorks = isEndWritten
        stage.settleSlice()
        stage.storeWorks = true
        try denied(&stage)
        stage.kill()
        #expect(stage.state.rules(session: "s1").map(\.effect) == [.deny])
    }

    /// The row that is written last is the session as it is, whatever was written before its end.
    @Test func itsRowIsTheLatest() throws {
        var stage = stage { _ in 5 }
        stage.send(.turn(.sessionEnd), from: HookSource(claudePID: 41))
        stage.send(.turn(.sessionStart), from: HookSource(claudePID: 42))
        stage.send(.turn(.userPromptSubmit), from: HookSource(claudePID: 43))
        stage.settleCommits()
        stage.writeAppended()
        #expect(stage.disk.remembered.sessions.map(\.claudePID) == [43])
    }
}

/// A process table of which one process has ended.
private final class Machine: Sendable {
    nonisolated(unsafe) var ended: Int32 = 0  // One test uses one machine on one thread.
}
