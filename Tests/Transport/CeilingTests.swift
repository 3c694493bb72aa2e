import Platform
import TestSupport
import Testing
import Transport
import Wire

/// Each ceiling with what happens at it.
@Suite(.timeLimit(.minutes(1)))
struct CeilingTests {
    @Test(arguments: [
        ("not HTTP at all", "\u{16}\u{3}\u{1}", 400),
        ("no Host", "GET / HTTP/1.1\r\n\r\n", 400),
        ("declared body", "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1001\r\n\r\n", 413),
        ("chunked body", "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n", 413),
        ("header", "GET / HTTP/1.1\r\nHost: t\r\nX: " + String(repeating: "x", count: 17_000), 431),
        ("target", "GET /" + String(repeating: "x", count: 17_000), 414),
    ])
    func whatIsTooLargeOrMalformedIsRefused(what: String, text: String, status: Int) async throws {
        try await withServer(.test { $0.http.body = 1000 }) { test in
            let client = try test.client()
            try await client.send(text)
            let response = try await client.response()
            #expect(response.status.code == status)
            #expect(response.text.hasPrefix(#"{"error":""#))
            #expect(response.headers["connection"] == "close")
            #expect(try await client.receive().isEmpty)
        }
    }

    /// The refusal must not be lost in the reset that unread data would cause.
    @Test func aRefusalIsReadThoughTheBodyWasOnItsWay() async throws {
        try await withServer(.test { $0.http.body = 1000 }) { test in
            let port = try await test.server.listen(tcp: "127.0.0.1", port: 0)[0].port
            let client = try TestClient(port: port)
            try await client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3000000\r\n\r\n")
            try await client.send([UInt8](repeating: 120, count: 3_000_000))
            #expect(try await client.response().status == .contentTooLarge)
        }
    }

    @Test func aRequestThatTakesTooLongIsTimedOut() async throws {
        let time = TestTime()
        try await withServer(time.limits()) { test in
            let client = try test.client()
            let half = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nab"
            // In one piece with a whole one: by the time that is answered, the half has been read.
            try await client.send(request("POST", "/", body: "whole") + half)
            #expect(try await client.response().text == "whole")
            #expect(try await time.passes { try await client.response().status } == .requestTimeout)
            #expect(try await client.receive().isEmpty)
        }
    }

    @Test func aDripDoesNotWinTime() async throws {
        let time = TestTime()
        try await withServer(time.limits()) { test in
            let client = try test.client()
            let head = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9000000\r\n\r\n"
            try await client.send(request("POST", "/", body: "whole") + head)
            #expect(try await client.response().text == "whole")
            async let answer = client.duplicate().response()
            // Each byte comes well within the time of a whole request; in the end no more is taken.
            try await time.passes {
                await #expect(throws: ClientError.self) {
                    while true { try await client.send("X") }
                }
            }
            #expect(try await answer.status == .requestTimeout)
        }
    }

    @Test func aSilentConnectionIsClosedWithoutAWord() async throws {
        try await withServer(.test { $0.requestTime = .milliseconds(30) }) { test in
            let client = try test.client()
            #expect(try await client.receive().isEmpty)
        }
    }

    @Test func anIdleConnectionIsClosed() async throws {
        try await withServer(.test { $0.idleTime = .milliseconds(30) }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", body: "x"))
            #expect(try await client.response().text == "x")
            #expect(try await client.receive().isEmpty)
        }
    }

    @Test func aClientThatDoesNotReadItsAnswerIsClosed() async throws {
        let delivered = Events<Bool>()
        let handler = TestHandler(onHandle: { _, _, exchange in
            exchange.onDelivered { delivered.add($0) }
            return HTTPResponse(.ok, body: [UInt8](repeating: 0, count: 9_000_000))
        })
        try await withServer(.test { $0.writeStallTime = .milliseconds(50) }, handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            #expect(try await !delivered.next())
            #expect(await test.server.connectionsOpen == 0)
            try await client.close()
        }
    }

    /// Answers that are not read keep further requests from being read, instead of piling up.
    @Test func requestsSentAheadWaitForTheAnswersToBeRead() async throws {
        let handled = Events<Int>()
        let count = Locked(0)
        let answer = [UInt8](repeating: 0, count: 1_000_000)
        let handler = TestHandler(onHandle: { _, _, _ in
            handled.add(
                count.withLock { count in
                    count += 1
                    return count
                })
            return HTTPResponse(.ok, body: answer)
        })
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send((0..<20).map { _ in request("GET", "/") }.joined())
            #expect(try await handled.next() == 1)
            // Another client is served meanwhile, and only the first request was.
            let other = try test.client()
            try await other.send(request("GET", "/"))
            #expect(try await other.response().body.count == answer.count)
            #expect(count.withLock { $0 } == 2)
            for _ in 0..<20 { #expect(try await client.response().body.count == answer.count) }
            #expect(try await handled.next(20) == Array(2...21))
        }
    }

    /// What is sent ahead stays with the kernel, and with its sender.
    @Test func aHeldCallsSenderCannotFillTheMemory() async throws {
        let begun = Events<Void>()
        let handler = TestHandler(onHandle: { _, _, _ in
            begun.add(())
            await waitForCancellation()
            return HTTPResponse(.ok)
        })
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            try await client.send(request("GET", "/hold"))
            try await begun.next()
            #expect(try await client.isHeldBack(sending: [UInt8](repeating: 120, count: 20_000_000)))
        }
    }

    @Test(arguments: [1, 100_000]) func aSessionThatIsBusyHoldsItsClientBack(messageBytes: Int) async throws {
        let release = Events<Void>()
        let session = BusySession(release: release)
        try await withServer(.test(), session.handler) { test in
            let client = try await WebSocketClient(test.client())
            let frame = WebSocketFrame.binary([UInt8](repeating: 1, count: messageBytes), mask: 1)
            let frames = [[UInt8]](repeating: frame, count: 20_000_000 / frame.count).flatMap { $0 }
            #expect(try await client.socket.isHeldBack(sending: frames))
            release.add(())
            #expect(try await client.text() == "free")
        }
    }

    @Test func connectionsAboveTheCapWaitUntilOneEnds() async throws {
        let limits = ServerLimits.test {
            $0.connections = 3
            // The end of a connection must be enough.
            $0.sweepInterval = .seconds(3600)
        }
        try await withServer(limits) { test in
            var clients = try (0..<4).map { _ in try test.client() }
            for client in clients { try await client.send(request("POST", "/", body: "x")) }
            for client in clients.prefix(3) { #expect(try await client.response().text == "x") }
            #expect(await test.server.connectionsOpen == 3)
            try await clients.removeFirst().close()
            #expect(try await clients[2].response().text == "x")
        }
    }

    @Test func networkClientsCannotKeepTheUnixSocketBusy() async throws {
        try await withServer(.test { $0.connections = 4 }) { test in
            let port = try await test.server.listen(tcp: "127.0.0.1", port: 0)[0].port
            let clients = try (0..<8).map { _ in try TestClient(port: port) }
            for client in clients { try await client.send(request("POST", "/", body: "x")) }
            for client in clients.prefix(3) { #expect(try await client.response().text == "x") }
            let local = try test.client()
            try await local.send(request("POST", "/", body: "local"))
            #expect(try await local.response().text == "local")
            for client in clients { try await client.close() }
        }
    }
}

/// Takes its time with the first message.
private struct BusySession: WebSocketSession {
    let release: Events<Void>
    private let socket = Locked<WebSocketConnection?>(nil)
    private let isFirst = Locked(true)

    init(release: Events<Void>) {
        self.release = release
    }

    func opened(_ socket: WebSocketConnection) async {
        self.socket.withLock { $0 = socket }
    }

    func received(_ message: WebSocketMessage) async {
        let isFirst = isFirst.withLock { first in
            defer { first = false }
            return first
        }
        guard isFirst else { return }
        try? await release.next()
        socket.withLock { $0 }?.send(text: "free")
    }

    func closed(_ closure: WebSocketClosure) async {
        socket.withLock { $0 = nil }
    }

    var handler: TestHandler {
        TestHandler(onUpgrade: { _, _ in .accept(subprotocol: nil, session: self) })
    }
}
