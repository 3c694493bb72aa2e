import Core
import Daemon
import OrderedJSON
import Testing
import Wire

/// What needs no token is small and not without end.
@Suite(.timeLimit(.minutes(1))) struct OpenGateTests {
    @Test(arguments: ["/", "/a", "/pair", "/ca.crt", "/health", "/js/app.js", "/worker.js"])
    func takesNoBody(path: String) async throws {
        let test = try await TestDaemon()
        let plain = try await test.askNetwork("GET", path).status.code
        #expect(try await test.askNetwork("GET", path, String(repeating: "x", count: 4096)).status.code == plain)
        let long = try await test.askNetwork("GET", path, String(repeating: "x", count: 4097))
        #expect(long.status.code == 413 && long.json?["error"] != nil)
        await test.daemon.stop()
    }

    @Test func reloadsAreServedAndAFloodIsNot() async throws {
        let test = try await TestDaemon()
        let peer = try test.network()
        let get = httpRequest("GET", "/a", host: test.host, headers: ["If-None-Match": "*"])
        func ask(_ count: Int) async throws -> [Int] {
            var codes: [Int] = []
            for _ in 0..<count {
                try await peer.send(get)
                codes.append(try await peer.response().status.code)
            }
            return codes
        }
        // Fifty loads of sixty files.
        #expect(try await ask(3000).allSatisfy { $0 == 304 })
        #expect(try await ask(2) == [429, 429])
        #expect(try await test.askNetwork("GET", "/ca.crt").headers["retry-after"] == "60")
        // Nobody is kept from anything else.
        #expect(try await test.askNetwork("GET", "/health").status.code == 200)
        #expect(try await test.ask("GET", "/").status.code == 200, "the socket is the user's own")
        #expect(try await test.post("/api/auth/refresh", ["refresh_token": "x"]).status.code == 401)
        test.clock.advance(by: 60)
        #expect(try await ask(1) == [304])
        await test.daemon.stop()
    }

    /// All phones of a home may be of one IPv6 network, with whoever else is in it.
    @Test func whoFloodsKeepsNobodyBesideHimFromThePage() async throws {
        let test = try await TestDaemon(configuration: #"{"trusted_proxies": ["127.0.0.1"]}"#)
        let peer = try test.network()
        func ask(from address: String) async throws -> Int {
            let fields: HTTPHeaders = ["If-None-Match": "*", "X-Forwarded-For": address]
            try await peer.send(httpRequest("GET", "/a", host: test.host, headers: fields))
            return try await peer.response().status.code
        }
        for _ in 0..<3000 { _ = try await ask(from: "fd00::666") }
        #expect(try await ask(from: "fd00::666") == 429)
        #expect(try await ask(from: "fd00::1") == 304)
        await test.daemon.stop()
    }
}
