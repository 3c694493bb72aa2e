import COpenSSL
import Crypto
import Testing
import Transport
import Wire

/// What a peer can do to a TLS port short of speaking HTTP.
@Suite(.timeLimit(.minutes(1)))
struct TLSAbuseTests {
    private func withPort(
        _ limits: ServerLimits = .test(), _ body: (TestServer, UInt16, CertificateAuthority) async throws -> Void
    ) async throws {
        let authority = try #require(TLSServingTests.authority)
        try await withServer(limits) { test in
            let port = try await test.server.listen(tcp: "127.0.0.1", port: 0)[0].port
            let server = try authority.issue(names: [.host("localhost")], at: Int64(ContinuousTime.seconds))
            await test.server.serve(tls: try TLSContext(server))
            try await body(test, port, authority)
        }
    }

    private func isServed(_ port: UInt16, _ authority: CertificateAuthority) async throws -> Bool {
        let client = try TestClient(port: port)
        try await client.startTLS(trusting: authority)
        try await client.send(request("POST", "/", body: "still here"))
        return try await client.response().text == "still here"
    }

    @Test(arguments: [
        [0x16], [0x16, 3, 1], [0x16, 3, 1, 0x40, 0], [0x16, 3, 1, 0, 4, 1, 0, 0, 0],
        [0x16] + [UInt8](repeating: 0x16, count: 100_000), [0x16, 3, 3, 0, 0] + [UInt8](repeating: 0, count: 5000),
    ])
    func garbageBehindTheFirstByteEndsInTime(bytes: [UInt8]) async throws {
        let time = TestTime()
        try await withPort(time.limits()) { test, port, authority in
            let client = try TestClient(port: port)
            // The server may end it before all is sent.
            try? await client.send(bytes)
            _ = try await time.passes { try await client.receiveAll() }
            #expect(try await isServed(port, authority))
        }
    }

    @Test func aConnectionThatSaysNothingEndsInTime() async throws {
        let time = TestTime()
        try await withPort(time.limits()) { test, port, authority in
            let silent = try TestClient(port: port)
            #expect(try await time.passes { try await silent.receiveAll().isEmpty })
            let shaken = try TestClient(port: port)
            try await shaken.startTLS(trusting: authority)
            #expect(try await time.passes { try await shaken.receive().isEmpty })
        }
    }

    @Test func theHandshakeMayNotDrip() async throws {
        let time = TestTime()
        try await withPort(time.limits()) { _, port, _ in
            let client = try TestClient(port: port)
            try await client.send([0x16, 3, 1, 0x20, 0, 1, 0, 0x1F, 0xFC])
            try await time.passes {
                await #expect(throws: ClientError.self) {
                    while true { try await client.send([0]) }
                }
            }
        }
    }

    @Test func noSecondHandshakeInTLS12() async throws {
        try await withPort { _, port, authority in
            let client = try TestClient(port: port)
            try await client.startTLS(trusting: authority, .init(version: TLS1_2_VERSION))
            let result = try await client.withTLS { tls in
                SSL_renegotiate(tls.ssl)
                return SSL_do_handshake(tls.ssl)
            }
            // The wish is sent and refused; the connection goes on as it was.
            _ = result
            #expect(try await isServed(port, authority))
            let isPending = try await client.withTLS { SSL_renegotiate_pending($0.ssl) }
            #expect(result != 1 || isPending == 1, "there was a second handshake")
        }
    }

    /// Each asks for an answer; nobody reads it.
    @Test func keyUpdatesKeepNobodyElseWaiting() async throws {
        try await withPort { test, port, authority in
            let client = try TestClient(port: port)
            try await client.startTLS(trusting: authority)
            async let flood: Void = client.withTLS { tls in
                for _ in 0..<2000 {
                    guard SSL_key_update(tls.ssl, SSL_KEY_UPDATE_REQUESTED) == 1, SSL_do_handshake(tls.ssl) == 1
                    else { break }
                }
            }
            #expect(try await isServed(port, authority))
            try await flood
            try await client.send(request("POST", "/", body: "after"))
            #expect(try await client.response().text == "after")
        }
    }

    @Test func aFloodOfHandshakesLeavesRoomForTheSocket() async throws {
        try await withPort(.test { $0.connections = 16 }) { test, port, _ in
            var clients: [TestClient] = []
            for _ in 0..<40 {
                let client = try TestClient(port: port)
                try await client.send([0x16, 3, 1])
                clients.append(client)
            }
            let local = try test.client()
            try await local.send(request("POST", "/", body: "local"))
            #expect(try await local.response().text == "local")
            #expect(await test.server.connectionsOpen <= 13)
            for client in clients { try await client.close() }
        }
    }
}
