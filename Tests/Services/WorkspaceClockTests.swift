import Core
import TestSupport
import Testing

/// Workspaces where somebody sets the clock.
extension WorkspaceManagerTests {
    /// The clock is set back, so that the removal has an earlier time than the session's start.
    @Test func itMakesNoneWhereTheClockWasSetBack() async throws {
        let start = clock.now().wall
        await hook("s1", "/srv/a")
        await settle()
        let workspace = try #require(await manager.workspaces(gitLimit: 0).first?.workspace)
        clock.set(by: -3600)
        _ = try await manager.remove(workspace.id)
        #expect(try #require(store.removals.first).at >= start, "the next daemon knows it, too")
        await hook("s1", "/srv/a", .userPromptSubmit)
        await settle()
        #expect(await manager.workspaces(gitLimit: 0).isEmpty)
    }
}
