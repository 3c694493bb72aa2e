import Core
import Daemon
import OrderedJSON
import Testing
import Wire

/// What needs no token is small.
@Suite(.timeLimit(.minutes(1))) struct OpenRouteTests {
    @Test(arguments: ["/", "/a", "/pair", "/ca.crt", "/health", "/js/app.js", "/worker.js"])
    func takesNoBody(path: String) async throws {
        let test = try await TestDaemon()
        let plain = try await test.askNetwork("GET", path).status.code
        #expect(try await test.askNetwork("GET", path, String(repeating: "x", count: 4096)).status.code == plain)
        let long = try await test.askNetwork("GET", path, String(repeating: "x", count: 4097))
        #expect(long.status.code == 413 && long.json?["error"] != nil)
        await test.daemon.stop()
    }
}
