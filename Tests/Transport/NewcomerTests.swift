import Dispatch
import Platform
import TestSupport
import Testing
import Transport
import Wire

/// Peers without a token that connect and ask more than is good.
@Suite(.timeLimit(.minutes(1))) struct NewcomerTests {
    private static func newcomers(_ most: Int, ofAddress: Int) -> Newcomers {
        var limits = ServerLimits()
        (limits.newcomers, limits.newcomersOfAddress) = (most, ofAddress)
        return Newcomers(limits: limits)
    }

    @Test func thoseWhoWaitHaveTurnsInTheirOrder() {
        var newcomers = Self.newcomers(9, ofAddress: 9)
        for id in 1...5 as ClosedRange<UInt64> {
            newcomers.add(id, from: "a")
            newcomers.wait(id)
            newcomers.wait(id)
        }
        newcomers.remove(2)
        #expect(newcomers.take(2) == [1, 3])
        newcomers.wait(1)
        #expect(newcomers.take(2) == [4, 5] && newcomers.isAnyWaiting)
        #expect(newcomers.take(2) == [1] && !newcomers.isAnyWaiting && newcomers.take(2).isEmpty)
        newcomers.wait(2)
        #expect(!newcomers.isAnyWaiting, "it is gone")
    }

    @Test func oneAddressDoesNotTakeThePlacesOfAll() {
        var newcomers = Self.newcomers(3, ofAddress: 2)
        newcomers.add(1, from: "a")
        #expect(newcomers.crowd(at: "a") == nil)
        newcomers.add(2, from: "a")
        #expect(newcomers.crowd(at: "a") == [1, 2] && newcomers.crowd(at: "b") == nil)
        newcomers.add(3, from: "b")
        #expect(newcomers.crowd(at: "a") == [1, 2] && newcomers.crowd(at: "b") == [1, 2, 3])
        newcomers.remove(1)
        #expect(newcomers.crowd(at: "a") == nil && newcomers.crowd(at: "b") == nil)
    }

    /// Sixty peers ask at once: the hook beside them waits for the first few of them, not for all.
    @Test func aHookWaitsForAFewOfThemOnly() async throws {
        let order = Locked<[String]>([])
        let handler = TestHandler { request, _, _ in
            order.withLock { $0.append(request.path) }
            return HTTPResponse(.ok)
        }
        let limits = ServerLimits.test { $0.newcomerTurns = 2 }
        try await withServer(limits, handler) { test in
            let port = try await test.server.listen(tcp: "127.0.0.1", port: 0)[0].port
            let peers = try (0..<60).map { _ in try TestClient(port: port) }
            for peer in peers { try await peer.send(request("GET", "/first")) }
            for peer in peers { _ = try await peer.response() }
            let hook = try test.client()
            try await hook.send(request("GET", "/first"))
            _ = try await hook.response()
            order.withLock { $0 = [] }
            // All have asked by the time at which the loop goes on.
            let (isBlocked, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            test.loop.execute {
                isBlocked.signal()
                goOn.wait()
            }
            await Self.wait(for: isBlocked)
            for peer in peers { try await peer.send(request("GET", "/peer")) }
            try await hook.send(request("GET", "/hook"))
            goOn.signal()
            for peer in peers { #expect(try await peer.response().status == .ok) }
            _ = try await hook.response()
            let before = order.withLock { $0.firstIndex(of: "/hook") }
            #expect(try #require(before) <= 2 * limits.newcomerTurns)
            #expect(order.withLock { $0.count } == 61)
        }
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    /// Requests that come one behind the other without waiting for answers have no more turns than others.
    @Test func aPeerThatSendsAllAtOnceIsAnsweredInOrder() async throws {
        try await withServer(.test { $0.newcomerTurns = 1 }) { test in
            let port = try await test.server.listen(tcp: "127.0.0.1", port: 0)[0].port
            let peer = try TestClient(port: port)
            let all = (0..<50).map { request("POST", "/", body: "\($0)") }.joined()
            try await peer.send(all)
            for number in 0..<50 { #expect(try await peer.response().text == "\(number)") }
        }
    }

    @Test func theOldestThatIsAtNothingMakesRoom() async throws {
        let begun = Events<Void>()
        let handler = TestHandler { request, _, exchange in
            if request.path == "/held" {
                begun.add(())
                await waitForCancellation()
            }
            if request.path == "/known" { exchange.notePeerIsKnown() }
            return HTTPResponse(.ok)
        }
        let limits = ServerLimits.test { $0.newcomersOfAddress = 2 }
        try await withServer(limits, handler) { test in
            let port = try await test.server.listen(tcp: "127.0.0.1", port: 0)[0].port
            func peer(_ path: String) async throws -> TestClient {
                let peer = try TestClient(port: port)
                try await peer.send(request("GET", path))
                return peer
            }
            let known = try await peer("/known")
            _ = try await known.response()
            let held = try await peer("/held")
            try await begun.next()
            let idle = try await peer("/")
            _ = try await idle.response()
            // Behind this the server knows that it has sent that answer.
            try await known.send(request("GET", "/"))
            _ = try await known.response()
            let next = try await peer("/")
            #expect(try await next.response().status == .ok)
            #expect(try await idle.receiveAll().isEmpty, "it was closed for the next one")
            try await known.send(request("GET", "/"))
            #expect(try await known.response().status == .ok, "who is known does not count")
            let second = try await peer("/held")
            try await begun.next()
            #expect(try await next.receiveAll().isEmpty)
            let third = try TestClient(port: port)
            #expect(try await third.receiveAll().isEmpty, "there is no room while all are at something")
            try await held.close()
            try await second.close()
        }
    }
}
