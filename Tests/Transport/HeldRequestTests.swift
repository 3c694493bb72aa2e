import Dispatch
import TestSupport
import Testing
import Transport
import Wire

/// Calls whose answer takes long, and callers who do not wait.
@Suite(.timeLimit(.minutes(1)))
struct HeldRequestTests {
    /// Holds `/hold` until its caller leaves or the server stops; answers all else. Every call is noted.
    private struct Holder {
        let begun = Events<String>()
        let ended = Events<Bool>()

        var handler: TestHandler {
            TestHandler(onHandle: { request, _, exchange in
                begun.add(request.target)
                guard request.path == "/hold" else { return HTTPResponse(.ok) }
                if request.query == "102" { exchange.sendInterim(HTTPInterim.processing([:])) }
                await waitForCancellation()
                ended.add(exchange.peerHasLeft)
                return HTTPResponse(.ok)
            })
        }
    }

    @Test(arguments: [false, true]) func aCallerWhoLeavesIsNoticed(byHalfClosing: Bool) async throws {
        let holder = Holder()
        try await withServer(.test(), holder.handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/hold"))
            #expect(try await holder.begun.next() == "/hold")
            try await byHalfClosing ? client.shutdownWriting() : client.close()
            #expect(try await holder.ended.next(), "the peer has left")
        }
    }

    @Test func aCallerWhoHalfClosedStillGetsTheAnswer() async throws {
        try await withServer { test in
            let client = try test.client()
            try await client.send(request("POST", "/", body: "a") + request("POST", "/", body: "b"))
            try await client.shutdownWriting()
            #expect(try await client.response().text == "a")
            #expect(try await client.response().text == "b")
            #expect(try await client.receive().isEmpty)
        }
    }

    @Test func aWholeRequestCountsThoughItsSenderHasLeft() async throws {
        let holder = Holder()
        try await withServer(.test(), holder.handler) { test in
            for number in 0..<50 {
                let client = try test.client()
                try await client.send(request("GET", "/\(number)"))
                try await client.close()
            }
            #expect(try await holder.begun.next(50) == (0..<50).map { "/\($0)" })
        }
    }

    @Test func requestsBehindAHeldOneCountThoughTheirSenderHasLeft() async throws {
        let holder = Holder()
        try await withServer(.test(), holder.handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/hold") + request("GET", "/1") + request("GET", "/2"))
            #expect(try await holder.begun.next() == "/hold")
            try await client.close()
            #expect(try await holder.begun.next(2) == ["/1", "/2"])
        }
    }

    /// While the loop is busy, somebody connects, an older connection's request becomes whole, and somebody else
    /// connects: the loop finds the listener first, and must look behind before it serves the newcomer.
    @Test func requestsAreHandledInOrderOfTheirConnections() async throws {
        let holder = Holder()
        try await withServer(.test(), holder.handler) { test in
            let first = try test.client()
            let body = String(repeating: "x", count: 100_000)
            let whole = request("POST", "/first", body: body, headers: "Expect: 100-continue\r\n")
            try await first.send(String(whole.dropLast(50_000)))
            #expect(try await first.event() == .interim(.continue, [:]))

            let goOn = DispatchSemaphore(value: 0)
            test.loop.execute { goOn.wait() }
            let silent = try test.client()
            try await first.send(String(whole.suffix(50_000)))
            let second = try test.client()
            try await second.send(request("GET", "/second"))
            let third = try test.client()
            try await third.send(request("GET", "/third"))
            for client in [first, second, third, silent] { try await client.close() }
            goOn.signal()
            #expect(try await holder.begun.next(3) == ["/first", "/second", "/third"])
        }
    }

    @Test func aCallerWhoLeavesIsNoticedBehindWhatItSentAhead() async throws {
        let holder = Holder()
        try await withServer(.test { $0.readAheadBytes = 1000 }, holder.handler) { test in
            let client = try test.client()
            try await client.send(
                request("GET", "/hold") + request("POST", "/a", body: String(repeating: "x", count: 9000)))
            try await client.send(request("POST", "/b", body: String(repeating: "x", count: 90_000)))
            #expect(try await holder.begun.next() == "/hold")
            try await client.close()
            #expect(try await holder.ended.next())
            #expect(try await holder.begun.next(2) == ["/a", "/b"])
        }
    }

    /// The 101 cannot be written any more, so no WebSocket is opened on the closed channel, and the client's bytes are
    /// not taken for a request.
    @Test(arguments: [[], WebSocketFrame.text("early", mask: 1), Array(request("GET", "/").utf8)])
    func aClientThatLeavesDuringItsHandshakeIsForgotten(ahead: [UInt8]) async throws {
        let asked = Events<Void>()
        let session = EchoSession()
        var handler = TestHandler(onUpgrade: { _, _ in
            asked.add(())
            await waitForCancellation()
            return .accept(subprotocol: nil, session: session)
        })
        handler.onHandle = { _, _, _ in
            Issue.record("no request was sent")
            return HTTPResponse(.ok)
        }
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            let key = [UInt8](repeating: 7, count: 16)
            let handshake = WebSocketHandshake.request(target: "/ws", host: "test", key: key)
            try await client.send(handshake.serialized() + ahead)
            try await asked.next()
            try await client.close()
            while await test.server.connectionsOpen > 0 { try await letOthersRun() }
            #expect(await test.server.connectionsOpen == 0)
        }
    }

    @Test func aStopLeavesHeldCallsUnanswered() async throws {
        let holder = Holder()
        try await withServer(.test(), holder.handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/hold?102"))
            #expect(try await client.event() == .interim(.processing, [:]))
            await test.server.stop(grace: .seconds(60))
            #expect(try await client.receive().isEmpty)
            #expect(try await !holder.ended.next(), "the peer has not left")
        }
    }

    @Test func aStopLetsAnAnswerInTheMakingOut() async throws {
        let begun = Events<Void>()
        let release = Events<Void>()
        let handler = TestHandler(onHandle: { _, _, _ in
            begun.add(())
            try? await release.next()
            return HTTPResponse(.ok)
        })
        try await withServer(.test(), handler) { test in
            let busy = try test.client()
            let idle = try test.client()
            try await busy.send(request("GET", "/"))
            try await begun.next()
            async let stopped: Void = test.server.stop(grace: .seconds(60))
            #expect(try await idle.receive().isEmpty)
            release.add(())
            #expect(try await busy.response().headers["connection"] == "close")
            try await busy.close()
            await stopped
        }
    }

    @Test func aStopEndsInTimeThoughAnAnswerDoesNotCome() async throws {
        let begun = Events<Void>()
        let handler = TestHandler(onHandle: { _, _, _ in
            begun.add(())
            await waitForCancellation()
            return HTTPResponse(.ok)
        })
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            try await begun.next()
            await test.server.stop(grace: .milliseconds(20))
            #expect(try await client.receive().isEmpty)
        }
    }
}
