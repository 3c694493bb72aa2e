import Core
import Store
import Testing

/// Run sessions come back as they were written, without those that have ended.
@Suite struct RunSessionRowTests {
    private func session(_ id: String, _ life: RunLife, process: ProcessIdentity? = nil) -> RunSession {
        RunSession(
            id: id, workspaceID: "w", directory: "/p", startedAt: Timestamp(milliseconds: 5), agentID: "a\(id)",
            mode: .plan, wish: ModeWish(mode: .default, request: "cdev-3-2"), model: "m", effort: "high", title: "t",
            projectSettings: .ignored, life: life, run: 3, process: process, hasConversation: true,
            isBusy: true, tellsState: true, tasks: ["x", "y"],
            prompts: [SessionPrompt(id: "p", blocks: [], state: .started, isFollowed: true)],
            requests: [
                OpenChildRequest(
                    id: "r", kind: .permission, place: SpoolPlace(offset: 7, length: 9), directory: "/p/sub"),
                OpenChildRequest(id: "q", kind: .callback, place: SpoolPlace(offset: 17, length: 0), directory: ""),
            ], clocks: RunClocks(lastActivity: Timestamp(milliseconds: 6), readTo: 27),
            servers: [
                ToolServer(
                    name: "lab",
                    reach: .process(
                        command: "/bin/lab", arguments: ["-v"], environment: [.init(name: "KEY", value: "secret")])),
                ToolServer(name: "web", reach: .http(url: "https://x", headers: [])),
                ToolServer(name: "old", reach: .sse(url: "https://y", headers: [.init(name: "A", value: "b")])),
            ])
    }

    private static let lives: [RunLife] = [
        .starting, .ready, .parked, .ending(RunEnding(.park)), .ending(RunEnding(.end(.stopped), step: .terminated)),
        .ending(RunEnding(.end(.neverStarted("no")), step: .killed)), .ending(RunEnding(.end(.outputTooLong))),
        .ending(RunEnding(.end(.forgotten))), .ending(RunEnding(.end(.intruded), step: .killed)),
    ]

    @Test func comeBackAsTheyWereWritten() async throws {
        let directory = try StoreDirectory()
        let process = ProcessIdentity(pid: 7, startTime: .max)
        let sessions = Self.lives.enumerated().map { session("s\($0)", $1, process: process) }
        let (store, _) = try await directory.open { $0.boot = "b1" }
        try await store.keep(sessions)
        try await store.close(nextSequence: 1)
        let (next, _) = try await directory.open { $0.boot = "b1" }
        #expect(try await next.runSessions() == sessions)
        try await next.keep([session("s1", .ended(.stopped))])
        #expect(try await next.runSessions().map(\.id) == sessions.map(\.id).filter { $0 != "s1" })
        try await next.close(nextSequence: 1)
    }

    /// A start time counts from the start of the machine.
    @Test func processesOfAnotherBootAreGone() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open { $0.boot = "b1" }
        try await store.keep([session("s", .ready, process: ProcessIdentity(pid: 7, startTime: 5))])
        try await store.close(nextSequence: 1)
        let (next, _) = try await directory.open { $0.boot = "b2" }
        #expect(try await next.runSessions() == [session("s", .ready)])
        try await next.close(nextSequence: 1)
    }
}
