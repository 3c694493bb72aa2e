import Loop
import TestSupport
import Testing
import Transport
import Wire

/// Requests and answers, as a well-behaved client sees them.
@Suite(.timeLimit(.minutes(1)))
struct HTTPServingTests {
    @Test func aConnectionServesRequestAfterRequest() async throws {
        try await withServer { test in
            let client = try test.client()
            for body in ["one", "two", "three"] {
                try await client.send(request("POST", "/echo", body: body))
                let response = try await client.response()
                #expect(response.status == .ok)
                #expect(response.text == body)
                #expect(response.headers["connection"] == nil)
            }
        }
    }

    @Test func requestsSentAheadAreAnsweredInOrder() async throws {
        try await withServer { test in
            let client = try test.client()
            let bodies = (0..<200).map { "request \($0)" }
            try await client.send(bodies.map { request("POST", "/", body: $0) }.joined())
            for body in bodies { #expect(try await client.response().text == body) }
        }
    }

    @Test func aRequestMayArriveByteByByte() async throws {
        try await withServer { test in
            let client = try test.client()
            for byte in request("POST", "/", body: "slowly").utf8 { try await client.send([byte]) }
            #expect(try await client.response().text == "slowly")
        }
    }

    @Test func aLargeBodyMakesTheRoundTrip() async throws {
        try await withServer { test in
            let client = try test.client()
            let body = String(repeating: "0123456789abcdef", count: 600_000)
            async let sent: Void = client.sendOnOtherThread(request("POST", "/", body: body))
            #expect(try await client.response().text == body)
            try await sent
        }
    }

    @Test func theConnectionIsClosedWhenTheClientAsksForIt() async throws {
        try await withServer { test in
            let client = try test.client()
            try await client.send(request("POST", "/", body: "last", headers: "Connection: close\r\n"))
            let response = try await client.response()
            #expect(response.text == "last")
            #expect(response.headers["connection"] == "close")
            #expect(try await client.receive().isEmpty)
        }
    }

    @Test func headIsAnsweredWithoutContent() async throws {
        try await withServer(.test(), TestHandler(onHandle: { _, _, _ in HTTPResponse(.ok, body: [1, 2, 3]) })) {
            test in
            let client = try test.client()
            try await client.send(request("HEAD", "/", headers: "Connection: close\r\n"))
            let answer = String(decoding: try await client.receiveAll(), as: UTF8.self)
            #expect(answer.contains("Content-Length: 3\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func aClientThatAsksBeforeItSendsIsToldToGoOn() async throws {
        try await withServer { test in
            let client = try test.client()
            try await client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await client.event() == .interim(.continue, [:]))
            try await client.send("ok")
            #expect(try await client.response().text == "ok")
        }
    }

    @Test func anInterimAnswerComesBeforeTheAnswer() async throws {
        let release = Events<Void>()
        let handler = TestHandler(onHandle: { _, _, exchange in
            exchange.sendInterim(HTTPInterim.processing(["Cdev-Deadline": "60"]))
            try? await release.next()
            return HTTPResponse(.ok)
        })
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", body: "hold"))
            #expect(try await client.event() == .interim(.processing, ["Cdev-Deadline": "60"]))
            release.add(())
            #expect(try await client.response().status == .ok)
        }
    }

    @Test func handlersRunOnTheLoop() async throws {
        let loops = Events<EventLoop>()
        let seen = Events<Bool>()
        let handler = TestHandler(onHandle: { _, _, _ in
            let loop = try? await loops.next()
            seen.add(loop?.isCurrent ?? false)
            return HTTPResponse(.ok)
        })
        try await withServer(.test(), handler) { test in
            loops.add(test.loop)
            let client = try test.client()
            try await client.send(request("GET", "/"))
            #expect(try await seen.next())
        }
    }

    @Test func deliveryIsReported() async throws {
        let delivered = Events<Bool>()
        let handler = TestHandler(onHandle: { _, _, exchange in
            exchange.onDelivered { delivered.add($0) }
            return HTTPResponse(.ok, body: [UInt8](repeating: 7, count: 4_000_000))
        })
        try await withServer(.test(), handler) { test in
            let reader = try test.client()
            try await reader.send(request("GET", "/"))
            #expect(try await reader.response().body.count == 4_000_000)
            #expect(try await delivered.next())

            let leaver = try test.client()
            try await leaver.send(request("GET", "/"))
            #expect(try await !leaver.receive().isEmpty)
            try await leaver.close()
            #expect(try await !delivered.next())
        }
    }

    @Test func manyConnectionsAreServedAtOnce() async throws {
        try await withServer { test in
            let clients = try (0..<200).map { _ in try test.client() }
            for (index, client) in clients.enumerated() {
                try await client.send(request("POST", "/", body: "\(index)"))
            }
            for (index, client) in clients.enumerated() { #expect(try await client.response().text == "\(index)") }
            #expect(await test.server.connectionsOpen == 200)
        }
    }
}

extension TestClient {
    /// Sends while the client's own thread reads.
    func sendOnOtherThread(_ text: String) async throws {
        try await duplicate().send(text)
    }
}
