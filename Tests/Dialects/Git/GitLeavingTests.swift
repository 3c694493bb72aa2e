import Core
import Dialects
import Services
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct GitLeavingTests {
    @Test func aClientThatLeavesEndsItsReadings() async throws {
        let events = Events<String>()
        let client = try GitConnection(EndlessGit(events: events)).client
        await client.opened(NoSocket())
        await client.received(.text(call("git/status", ["workspace_id": "w"])))
        // The place of the repository, and its filters.
        #expect(try await events.next(2) == ["began", "began"])
        await client.closed(WebSocketClosure(code: 1006, reason: "", isByPeer: true))
        #expect(try await events.next(2) == ["ended", "ended"])
    }
}
