import Core
import Testing

/// Claude's processes are known as long as they live, whatever their sessions' events say and after a restart of the
/// daemon.
struct ClaudeProcessTests {
    private static let claude = HookSource(claudePID: 7)

    @Test(arguments: [HookEventName.sessionEnd, .stop])
    func aRestartKnowsAProcessWhoseSessionIsOver(_ last: HookEventName) {
        var stage = Stage()
        stage.send(.turn(.sessionStart), from: Self.claude)
        stage.send(.turn(last), from: Self.claude)
        stage.send(.turn(.sessionStart, session: "s2"))
        stage.send(.turn(.sessionEnd, session: "s2"))
        stage.kill()
        #expect(stage.state.claudeProcesses == [7: 5])
        stage.kill()
        #expect(stage.state.claudeProcesses == [7: 5], "and the next")
    }

    @Test func aProcessThatHasEndedIsForgotten() {
        var stage = Stage()
        let gone = [ProcessIdentity(pid: 99, startTime: 5), ProcessIdentity(pid: 8, startTime: 4)]
        let living = ProcessIdentity(pid: 7, startTime: 5)
        stage.perform(stage.state.restore(Remembered(claudes: gone + [living]), at: stage.now))
        #expect(stage.state.claudeProcesses == [7: 5])
        #expect(Set(stage.appended).isSuperset(of: gone.map { .claudeEnded($0) }))
        #expect(!stage.appended.contains(.claudeEnded(living)))
    }
}
