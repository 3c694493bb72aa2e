import COpenSSL
import Crypto
import TestSupport
import Testing
import Transport
import Wire

/// HTTP and WebSocket over TLS, beside plain HTTP on the same port.
@Suite(.timeLimit(.minutes(1)))
struct TLSServingTests {
    static let authority = try? CertificateAuthority(
        key: .p256(), names: [.host("localhost")], at: Int64(ContinuousTime.seconds))

    private struct Site {
        let test: TestServer
        let port: UInt16
        let authority: CertificateAuthority

        func plain() throws -> TestClient { try TestClient(port: port) }

        func secure(_ options: TestTLS.Options = .init()) async throws -> TestClient {
            let client = try TestClient(port: port)
            try await client.startTLS(trusting: authority, options)
            return client
        }

        /// Another certificate of the same authority.
        func renew() async throws {
            let server = try authority.issue(names: [.host("localhost")], at: Int64(ContinuousTime.seconds))
            await test.server.serve(tls: try TLSContext(server))
        }
    }

    private func withSite(
        _ limits: ServerLimits = .test(), _ handler: TestHandler = TestHandler(), _ body: (Site) async throws -> Void
    ) async throws {
        let authority = try #require(Self.authority)
        try await withServer(limits, handler) { test in
            let port = try await test.server.listen(tcp: "127.0.0.1", port: 0)[0].port
            let site = Site(test: test, port: port, authority: authority)
            try await site.renew()
            try await body(site)
        }
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"]) func contentInPieces(version: String) async throws {
        let pieces = ["one", "", String(repeating: "x", count: 300_000), "two"]
        let handler = TestHandler(onHandle: { _, _, exchange in
            exchange.stream { writer in
                for piece in pieces { #expect(await writer.write(Array(piece.utf8))) }
            }
            return HTTPResponse(.ok)
        })
        try await withSite(.test(), handler) { site in
            let client = try await site.secure()
            try await client.send("GET / \(version)\r\nHost: test\r\n\r\n")
            guard version == "HTTP/1.0" else {
                #expect(try await client.response().text == pieces.joined())
                return
            }
            let all = String(decoding: try await client.receiveAll(), as: UTF8.self)
            #expect(all.hasSuffix("\r\n\r\n" + pieces.joined()))
        }
    }

    @Test(arguments: [(TLS1_3_VERSION, "TLSv1.3"), (TLS1_2_VERSION, "TLSv1.2")])
    func bothVersionsServeAndThePortStaysPlainToo(version: Int32, name: String) async throws {
        let peers = Events<Peer>()
        let handler = TestHandler(onHandle: { request, peer, _ in
            peers.add(peer)
            return HTTPResponse(.ok, body: request.body)
        })
        try await withSite(.test(), handler) { site in
            let client = try await site.secure(.init(version: version))
            for text in ["one", "two"] {
                try await client.send(request("POST", "/", body: text))
                #expect(try await client.response().text == text)
                #expect(try await peers.next().isEncrypted)
            }
            #expect(try await client.withTLS { $0.version } == name)
            #expect(try await client.withTLS { $0.protocolName } == "http/1.1")
            let plain = try site.plain()
            try await plain.send(request("POST", "/", body: "plain"))
            #expect(try await plain.response().text == "plain")
            #expect(try await !peers.next().isEncrypted)
        }
    }

    @Test(arguments: [TLS1_3_VERSION, TLS1_2_VERSION])
    func largeBodiesPassBothWays(version: Int32) async throws {
        let limits = ServerLimits.test { $0.http.body = 20_000_000 }
        try await withSite(limits) { site in
            let client = try await site.secure(.init(version: version))
            let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
            for _ in 0..<2 {
                try await client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: \(body.count)\r\n\r\n")
                try await client.send(body)
                let answer = try await client.response().body
                #expect(answer == body)
            }
        }
    }

    @Test func theEndIsSaid() async throws {
        try await withSite { site in
            let client = try await site.secure()
            try await client.send(request("GET", "/", headers: "Connection: close\r\n"))
            #expect(try await client.response().status == .ok)
            #expect(try await client.receive().isEmpty, "close_notify, not a cut")
            let idle = try await site.secure()
            try await idle.send(request("GET", "/"))
            #expect(try await idle.response().status == .ok)
        }
    }

    @Test func aHalfClosedCallerStillGetsTheAnswer() async throws {
        try await withSite { site in
            let client = try await site.secure()
            try await client.send(request("POST", "/", body: "a") + request("POST", "/", body: "b"))
            try await client.withTLS { $0.sayGoodbye() }
            #expect(try await client.response().text == "a")
            #expect(try await client.response().text == "b")
            #expect(try await client.receive().isEmpty)
        }
    }

    private enum Leaving: CaseIterable {
        case closing, halfClosing, sayingGoodbye
    }

    @Test(arguments: Leaving.allCases)
    private func aHeldCallerWhoLeavesIsNoticed(by leaving: Leaving) async throws {
        let begun = Events<Void>()
        let ended = Events<Bool>()
        let handler = TestHandler(onHandle: { _, _, exchange in
            exchange.sendInterim(HTTPInterim.processing([:]))
            begun.add(())
            await waitForCancellation()
            ended.add(exchange.peerHasLeft)
            return HTTPResponse(.ok)
        })
        try await withSite(.test(), handler) { site in
            let client = try await site.secure()
            try await client.send(request("GET", "/hold"))
            try await begun.next()
            switch leaving {
            case .closing: try await client.close()
            case .halfClosing: try await client.shutdownWriting()
            case .sayingGoodbye: try await client.withTLS { $0.sayGoodbye() }
            }
            #expect(try await ended.next(), "the peer has left")
        }
    }

    @Test func aRenewedCertificateIsShownToWhoComesNext() async throws {
        try await withSite { site in
            let before = try await site.secure()
            try await site.renew()
            let after = try await site.secure()
            #expect(try await before.withTLS { $0.serial } != after.withTLS { $0.serial })
            for client in [before, after] {
                try await client.send(request("POST", "/", body: "x"))
                #expect(try await client.response().text == "x")
            }
        }
    }

    @Test func anotherNameIsNotVouchedFor() async throws {
        try await withSite { site in
            await #expect(throws: ClientError.self) { try await site.secure(.init(host: "other.local")) }
            let other = try CertificateAuthority(key: .p256(), names: [], at: Int64(ContinuousTime.seconds))
            let client = try site.plain()
            await #expect(throws: ClientError.self) { try await client.startTLS(trusting: other) }
        }
    }

    @Test func onlyHTTP11IsSpoken() async throws {
        try await withSite { site in
            let both = try await site.secure(.init(protocols: ["h2", "http/1.1"]))
            #expect(try await both.withTLS { $0.protocolName } == "http/1.1")
            let error = await #expect(throws: ClientError.self) { try await site.secure(.init(protocols: ["h2"])) }
            #expect(error?.what.contains("no application protocol") == true)
        }
    }

    @Test func aWebSocketEchoesOverTLS() async throws {
        let session = EchoSession()
        try await withSite(.test(), session.handler) { site in
            let client = try await WebSocketClient(site.secure(), subprotocols: ["cdev"])
            let long = String(repeating: "long ", count: 100_000)
            for text in ["short", long, "short again"] {
                try await client.send(text: text)
                #expect(try await client.text() == text)
            }
            await site.test.server.stop(grace: .milliseconds(500))
            #expect(try await client.next() == .close(code: 1001, reason: "the daemon stops"))
            _ = try await client.socket.withTLS { $0.sayGoodbye() }
        }
    }

    /// What waits for a slow client is dropped in the middle of a record's chunk; what is left must still be frames.
    @Test func aSlowWebSocketIsToldSoInWholeFrames() async throws {
        let session = EchoSession(isEchoing: false)
        let limits = ServerLimits.test { $0.outputBytes = 4_000_000 }
        try await withSite(limits, session.handler) { site in
            let client = try await WebSocketClient(site.secure())
            let socket = try await session.sockets.next()
            let text = String(repeating: "x", count: 900_000)
            for _ in 0..<40 { socket.send(text: text) }
            var count = 0
            var last: WebSocketEvent?
            while let event = try await client.next() {
                last = event
                if event == .text(text) { count += 1 }
            }
            #expect(count < 40)
            guard case .close(code: 1013, reason: _)? = last else {
                Issue.record("\(String(describing: last).prefix(100))")
                return
            }
        }
    }
}

/// The machine's clock, in seconds since 1970.
enum ContinuousTime {
    static var seconds: Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec
    }
}
