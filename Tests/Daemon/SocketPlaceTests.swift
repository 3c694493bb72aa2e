import Foundation
import OrderedJSON
import TestSupport
import Testing
import Wire

/// How many WebSockets one caller may have open.
@Suite(.timeLimit(.minutes(1))) struct SocketPlaceTests {
    /// Else whoever may only look stops the daemon with the events and farewells of thousands of its connections.
    @Test func aDeviceHasThirtyTwo() async throws {
        let test = try await TestDaemon()
        let phone = try await headers(of: "phone", test)
        var open: [TestPeer] = []
        for _ in 0..<32 { open.append(try await self.open(test, phone)) }
        let refusal = try await test.network().upgrade(host: test.host, headers: phone)
        #expect(refusal.status.code == 429 && refusal.headers["retry-after"] == "60")
        #expect(String(decoding: refusal.body, as: UTF8.self).contains("32 WebSockets"))
        _ = try await self.open(test, try await headers(of: "tablet", test))
        #expect(try await test.local().upgrade().status.code == 101, "nor is the person kept out")
        open.removeLast()
        // That it was closed is noticed a little later.
        while try await test.network().upgrade(host: test.host, headers: phone).status.code != 101 {
            try await letOthersRun()
        }
        await test.daemon.stop()
    }

    @Test func allProcessesInsideAgentsHaveSixtyFour() async throws {
        let test = try await TestDaemon()
        let person = try test.local()
        #expect(try await person.upgrade().status.code == 101)
        try test.home.addProcess(getpid(), environment: ["CLAUDECODE=1"])
        var open: [TestPeer] = []
        for _ in 0..<64 {
            let peer = try test.local()
            #expect(try await peer.upgrade().status.code == 101)
            open.append(peer)
        }
        #expect(try await test.local().upgrade().status.code == 429)
        try test.home.addProcess(getpid())
        for _ in 0..<70 {
            open.append(try test.local())
            #expect(try await open.last?.upgrade().status.code == 101, "the person has no limit")
        }
        await test.daemon.stop()
    }

    private func headers(of name: String, _ test: TestDaemon) async throws -> HTTPHeaders {
        let made = try await test.call("token/create", ["name": .string(name), "rights": "view"])
        return ["Authorization": "Bearer \(try #require(made["token"]?.stringValue))"]
    }

    private func open(_ test: TestDaemon, _ headers: HTTPHeaders) async throws -> TestPeer {
        let peer = try test.network()
        #expect(try await peer.upgrade(host: test.host, headers: headers).status.code == 101)
        return peer
    }
}
