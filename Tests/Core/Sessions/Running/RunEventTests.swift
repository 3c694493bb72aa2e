import Core
import Testing

/// What is told of a session that is another than before.
@Suite struct RunEventTests {
    private func session(
        _ life: RunLife, agentID: String = "a", mode: PermissionMode = .default, hasConversation: Bool = false,
        tasks: Set<String> = [], prompts: [SessionPrompt] = [], isBusy: Bool = false,
        settings: ProjectSettings? = nil
    ) -> RunSession {
        RunSession(
            id: "s", workspaceID: "w", directory: "/p", startedAt: Timestamp(milliseconds: 0), agentID: agentID,
            mode: mode, projectSettings: settings, life: life, run: 1, hasConversation: hasConversation, isBusy: isBusy,
            tasks: tasks,
            prompts: prompts, clocks: RunClocks(lastActivity: Timestamp(milliseconds: 0)))
    }

    private func told(_ before: RunSession?, _ after: RunSession) -> [EventKind] {
        RunEvent.changes(from: before, to: after).map(\.kind)
    }

    @Test func eachChangeIsToldOnce() {
        let ready = session(.ready)
        #expect(told(nil, session(.starting)) == [.runStatus])
        #expect(told(session(.starting), ready) == [.runChildStart, .runStatus])
        #expect(told(ready, ready).isEmpty)
        #expect(told(ready, session(.ready, isBusy: true)) == [.runStatus])
        #expect(told(ready, session(.ready, hasConversation: true)) == [.runInfo])
        let known = session(.ready, hasConversation: true)
        #expect(told(known, session(.ready, agentID: "b", hasConversation: true)) == [.runInfo])
        #expect(told(known, session(.ready, mode: .plan, hasConversation: true)) == [.runInfo, .runStatus])
        #expect(told(ready, session(.ready, tasks: ["t"])) == [.runTasks, .runStatus])
        #expect(told(ready, session(.ready, prompts: [SessionPrompt(id: "p", blocks: [])])) == [.runStatus])
        #expect(told(ready, session(.ready, settings: .ignored)) == [.runStatus])
        #expect(told(ready, session(.parked)) == [.runStatus, .runChildEnd])
        #expect(told(session(.parked), session(.ended(.stopped))) == [.runStatus, .runStopped])
        #expect(told(ready, session(.ended(.stopped))) == [.runStatus, .runChildEnd, .runStopped])
    }
}
