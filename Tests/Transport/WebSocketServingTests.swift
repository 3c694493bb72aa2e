import Platform
import TestSupport
import Testing
import Transport
import Wire

@Suite(.timeLimit(.minutes(1)))
struct WebSocketServingTests {
    private func withEcho(
        _ limits: ServerLimits = .test(), isEchoing: Bool = true,
        _ body: (TestServer, EchoSession, WebSocketClient) async throws -> Void
    ) async throws {
        let session = EchoSession(isEchoing: isEchoing)
        try await withServer(limits, session.handler) { test in
            try await body(test, session, try await WebSocketClient(test.client()))
        }
    }

    @Test func theHandshakeSelectsTheSubprotocolBesideTheToken() async throws {
        let session = EchoSession()
        try await withServer(.test(), session.handler) { test in
            let client = try await WebSocketClient(test.client(), subprotocols: ["cdev", "cdev.token.abc"])
            #expect(client.response.status == .switchingProtocols)
            #expect(client.response.headers["sec-websocket-protocol"] == "cdev")
            // Computed with another implementation for a key of sixteen sevens.
            #expect(client.response.headers["sec-websocket-accept"] == "CdXSYUsvsaMthlEXWDNURGWA/1o=")
        }
    }

    @Test func messagesAreEchoedAsTheyCame() async throws {
        try await withEcho { _, _, client in
            try await client.send(text: "häl\u{1F600}o")
            #expect(try await client.text() == "häl\u{1F600}o")
            try await client.socket.send(WebSocketFrame.binary([0, 255], mask: 1))
            #expect(try await client.next() == .binary([0, 255]))
            let long = String(repeating: "long ", count: 300_000)
            async let sent: Void = client.socket.duplicate().send(WebSocketFrame.text(long, mask: 99))
            #expect(try await client.text() == long)
            try await sent
        }
    }

    @Test func messagesKeepTheirOrder() async throws {
        try await withEcho { _, session, client in
            let count = 3000
            var frames: [UInt8] = []
            for number in 0..<count { frames += WebSocketFrame.text("\(number)", mask: 5) }
            async let sent: Void = client.socket.duplicate().send(frames)
            for number in 0..<count { #expect(try await client.text() == "\(number)") }
            try await sent
            #expect(try await session.events.next() == .opened)
        }
    }

    /// The pong shows that the second message was read while the first was still being handled.
    @Test func aMessageWaitsForTheOneBefore() async throws {
        let release = Events<Void>()
        let session = GatedSession(release: release)
        let handler = TestHandler(onUpgrade: { _, _ in .accept(subprotocol: nil, session: session) })
        try await withServer(.test(), handler) { test in
            let client = try await WebSocketClient(test.client())
            try await client.send(text: "one")
            #expect(try await session.begun.next() == .text("one"))
            try await client.send(text: "two")
            try await client.socket.send(WebSocketFrame.ping([2], mask: 1))
            #expect(try await client.next() == .pong([2]))
            #expect(session.running.withLock { $0 } == 1)
            release.add(())
            #expect(try await session.begun.next() == .text("two"))
            #expect(session.running.withLock { $0 } == 1)
            release.add(())
        }
    }

    @Test func messagesSentAheadOfTheAnswerCount() async throws {
        let session = EchoSession()
        try await withServer(.test(), session.handler) { test in
            let client = try await WebSocketClient(test.client(), ahead: WebSocketFrame.text("early", mask: 3))
            #expect(try await client.text() == "early")
        }
    }

    @Test func messagesCountThoughTheirSenderHasLeft() async throws {
        try await withEcho(isEchoing: false) { _, session, client in
            var frames: [UInt8] = []
            for number in 0..<500 { frames += WebSocketFrame.text("\(number)", mask: 5) }
            try await client.socket.send(frames)
            try await client.socket.close()
            #expect(try await session.events.next() == .opened)
            let seen = try await session.events.next(500)
            #expect(seen == (0..<500).map { .received(.text("\($0)")) })
            guard case .closed(let closure) = try await session.events.next() else { return #expect(Bool(false)) }
            #expect(closure.code == 1006)
            #expect(closure.isByPeer)
        }
    }

    @Test func aPingIsAnswered() async throws {
        try await withEcho { _, _, client in
            try await client.socket.send(WebSocketFrame.ping([1, 2], mask: 9))
            #expect(try await client.next() == .pong([1, 2]))
        }
    }

    @Test func ofPingsThatCameTogetherTheLastIsAnswered() async throws {
        try await withEcho { _, _, client in
            try await client.socket.send((0..<200).flatMap { WebSocketFrame.ping([UInt8($0)], mask: 9) })
            var pongs = 1
            while try await client.next() != .pong([199]) { pongs += 1 }
            #expect(pongs < 200)
        }
    }

    @Test func aCloseIsAnsweredAndEndsTheSession() async throws {
        try await withEcho { _, session, client in
            try await client.socket.send(WebSocketFrame.close(code: 1000, reason: "bye", mask: 9))
            #expect(try await client.next() == .close(code: 1000, reason: "bye"))
            #expect(try await client.next() == nil)
            let end = EchoSession.Event.closed(WebSocketClosure(code: 1000, reason: "bye", isByPeer: true))
            #expect(try await session.events.next(2) == [.opened, end])
        }
    }

    @Test(
        arguments: [
            ("unmasked", WebSocketFrame.text("x"), 1002),
            ("not UTF-8", [0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28], 1007),
            ("too large", [0x82, 0xFE, 4, 1, 0, 0, 0, 0], 1009),
        ] as [(String, [UInt8], UInt16)])
    func whatBreaksTheProtocolIsTold(what: String, bytes: [UInt8], code: UInt16) async throws {
        try await withEcho(.test { $0.localWebSocket = WebSocketLimits(frame: 1024, message: 1024) }) {
            _, session, client in
            try await client.socket.send(bytes)
            guard case .close(code, let reason) = try await client.next() else { return #expect(Bool(false)) }
            #expect(!reason.isEmpty)
            #expect(try await client.next() == nil)
            let end = EchoSession.Event.closed(WebSocketClosure(code: code, reason: reason, isByPeer: false))
            #expect(try await session.events.next(2) == [.opened, end])
        }
    }

    @Test func aRefusedHandshakeIsAnAnswerLikeAnyOther() async throws {
        try await withServer { test in
            let socket = try test.client()
            let client = try await WebSocketClient(socket)
            #expect(client.response.status == .notFound)
            try await socket.send(request("POST", "/", body: "goes on"))
            #expect(try await socket.response().text == "goes on")
        }
    }

    @Test func aMalformedHandshakeIsRefusedBeforeAnyoneIsAsked() async throws {
        let handler = TestHandler(onUpgrade: { _, _ in
            Issue.record("asked about a handshake that cannot succeed")
            return .refuse(HTTPResponse(.ok))
        })
        try await withServer(.test(), handler) { test in
            let client = try test.client()
            let head = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 7\r\n"
            try await client.send(request("GET", "/ws", headers: head))
            #expect(try await client.response().status == .upgradeRequired)
        }
    }

    @Test func theServerClosesWithItsReason() async throws {
        try await withEcho { _, session, client in
            let socket = try await session.sockets.next()
            socket.send(text: "last words")
            socket.close(code: 1008, reason: "too many messages")
            socket.send(text: "never sent")
            #expect(try await client.text() == "last words")
            #expect(try await client.next() == .close(code: 1008, reason: "too many messages"))
            try await client.socket.send(WebSocketFrame.close(code: 1008, mask: 1))
            #expect(try await client.next() == nil)
        }
    }

    @Test func aClientThatDoesNotAnswerACloseIsClosed() async throws {
        try await withEcho(.test { $0.closeTime = .milliseconds(30) }) { _, session, client in
            try await session.sockets.next().close(code: 1000)
            #expect(try await client.next() == .close(code: 1000, reason: ""))
            #expect(try await client.next() == nil)
        }
    }

    @Test func aStopSaysGoingAway() async throws {
        try await withEcho { test, session, client in
            async let stopped: Void = test.server.stop(grace: .seconds(60))
            #expect(try await client.next() == .close(code: 1001, reason: "the daemon stops"))
            try await client.socket.close()
            await stopped
            let end = EchoSession.Event.closed(
                WebSocketClosure(code: 1001, reason: "the daemon stops", isByPeer: false))
            #expect(try await session.events.next(2) == [.opened, end])
        }
    }

    @Test func aClientThatReadsTooSlowlyIsToldWhy() async throws {
        try await withEcho(.test { $0.outputBytes = 1_000_000 }) { _, session, client in
            let socket = try await session.sockets.next()
            let message = WebSocketBroadcast(binary: [UInt8](repeating: 1, count: 100_000))
            for _ in 0..<30 { socket.send(message) }
            let end = try await session.events.next(2)[1]
            guard case .closed(let closure) = end else { return #expect(Bool(false)) }
            #expect(closure.code == 1013)
            #expect(socket.queuedBytes <= 1_000_000)
            var last: WebSocketEvent?
            var count = 0
            while let event = try await client.next() {
                last = event
                count += 1
            }
            // Only what the kernel held, not the queue of ten that stood before the reason.
            #expect(count < 8)
            #expect(last == .close(code: 1013, reason: closure.reason))
        }
    }

    @Test func oneLargeMessageIsNotASlowClient() async throws {
        try await withEcho(.test { $0.outputBytes = 1000 }) { _, session, client in
            let socket = try await session.sockets.next()
            socket.send(WebSocketBroadcast(binary: [UInt8](repeating: 1, count: 2_000_000)))
            guard case .binary(let bytes)? = try await client.next() else { return #expect(Bool(false)) }
            #expect(bytes.count == 2_000_000)
        }
    }

    @Test func aSilentPeerIsAskedAndThenClosed() async throws {
        let limits = ServerLimits.test {
            $0.pingInterval = .milliseconds(20)
            $0.pongTime = .milliseconds(60)
        }
        try await withEcho(limits) { _, session, client in
            #expect(try await client.next() == .ping([]))
            #expect(try await client.next() == nil)
            guard case .closed(let closure) = try await session.events.next(2)[1] else { return #expect(Bool(false)) }
            #expect(closure.code == 1006)
        }
    }

    @Test func aPeerThatAnswersPingsStays() async throws {
        let limits = ServerLimits.test {
            $0.pingInterval = .milliseconds(10)
            $0.pongTime = .seconds(20)
        }
        try await withEcho(limits) { _, _, client in
            for _ in 0..<5 {
                #expect(try await client.next() == .ping([]))
                try await client.socket.send(WebSocketFrame.pong([], mask: 1))
            }
        }
    }

    @Test func oneMessageReachesEveryone() async throws {
        let session = EchoSession()
        try await withServer(.test(), session.handler) { test in
            var clients: [WebSocketClient] = []
            var sockets: [WebSocketConnection] = []
            for _ in 0..<300 {
                clients.append(try await WebSocketClient(test.client()))
                sockets.append(try await session.sockets.next())
            }
            let event = WebSocketBroadcast(text: Array(#"{"method":"event/heartbeat"}"#.utf8))
            for socket in sockets { socket.send(event) }
            for client in clients { #expect(try await client.text() == #"{"method":"event/heartbeat"}"#) }
        }
    }
}

/// Handles each message until it is released.
private struct GatedSession: WebSocketSession {
    let release: Events<Void>
    let begun = Events<WebSocketMessage>()
    /// Messages that are being handled.
    let running = Locked(0)

    func opened(_ socket: WebSocketConnection) async {}

    func received(_ message: WebSocketMessage) async {
        running.withLock { $0 += 1 }
        begun.add(message)
        try? await release.next()
        running.withLock { $0 -= 1 }
    }

    func closed(_ closure: WebSocketClosure) async {}
}
