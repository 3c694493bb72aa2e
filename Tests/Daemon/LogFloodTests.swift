import Foundation
import TestSupport
import Testing
import Wire

/// Lines that somebody without a token, or a process inside an agent, can cause at will.
@Suite(.timeLimit(.minutes(1))) struct LogFloodTests {
    private func count(_ message: String, _ test: TestDaemon) throws -> Int {
        try test.home.read("server.log").split(separator: "\n").count { $0.contains(message) }
    }

    /// Else whoever does that turns the log over, and with it what it tells of decisions.
    @Test func connectingAndLeavingIsNoFloodOfLines() async throws {
        let test = try await TestDaemon()
        for _ in 0..<250 {
            let peer = try test.local()
            _ = try await peer.upgrade()
            try await peer.leave()
        }
        #expect(try count(" client connected client=", test) == 240)
        #expect(try count("more of these lines come than are logged", test) >= 1)
        let token = try #require(try await test.call("token/create", ["name": "phone"])["token"]?.stringValue)
        let phone = try test.network()
        _ = try await phone.upgrade(host: test.host, headers: ["Authorization": "Bearer \(token)"])
        try await phone.say(#"{"jsonrpc":"2.0","id":1,"method":"permission/stats"}"#)
        _ = try await phone.message(id: 1)
        #expect(try count(" client connected client=", test) == 241, "those of devices are apart")
        test.clock.advance(by: 60)
        let peer = try test.local()
        _ = try await peer.upgrade()
        try await peer.say(#"{"jsonrpc":"2.0","id":1,"method":"permission/stats"}"#)
        _ = try await peer.message(id: 1)
        #expect(try count("lines were left out", test) >= 1)
        await test.daemon.stop()
    }

    @Test func hooksThatCannotBeReadAreNoFloodOfLines() async throws {
        let test = try await TestDaemon()
        let peer = try test.local()
        for _ in 0..<250 {
            try await peer.send(httpRequest("POST", "/hooks/claude", "{}"))
            #expect(try await peer.response().status.code == 400)
        }
        #expect(try count("hook refused", test) <= 241)
        await test.daemon.stop()
    }
}
