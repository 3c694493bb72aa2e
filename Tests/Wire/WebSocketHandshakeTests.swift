import Testing
import Wire

@Suite struct WebSocketHandshakeTests {
    /// The key and its accept value from RFC 6455 section 1.3.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    private static let digest: [UInt8] = [
        0xB3, 0x7A, 0x4F, 0x2C, 0xC0, 0x62, 0x4F, 0x16, 0x90, 0xF6, 0x46, 0x06, 0xCF, 0x38, 0x59, 0x45, 0xB2, 0xBE,
        0xC4, 0xEA,
    ]

    private static let fields: [(String, String)] = [
        ("Host", "a"), ("Upgrade", "WebSocket"), ("Connection", "keep-alive, UPGRADE"),
        ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", key),
    ]

    private func sha1(_ bytes: [UInt8]) -> [UInt8] {
        bytes == Array((Self.key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8) ? Self.digest : []
    }

    private func request(_ method: String = "GET", _ changes: [(String, String?)] = []) -> HTTPRequest {
        var headers = HTTPHeaders()
        for (name, value) in Self.fields where !changes.contains(where: { $0.0 == name }) {
            headers.append(name, value)
        }
        for (name, value) in changes { if let value { headers.append(name, value) } }
        return HTTPRequest(method: method, target: "/ws", headers: headers)
    }

    private func reply(to request: HTTPRequest, choose: ([String]) -> String? = { _ in nil })
        -> WebSocketHandshake.Reply
    {
        WebSocketHandshake.reply(to: request, choose: choose, sha1: sha1)
    }

    private func refusal(of request: HTTPRequest) -> HTTPResponse? {
        if case .refuse(let response) = reply(to: request) { response } else { nil }
    }

    @Test func acceptsTheExampleOfTheSpecification() {
        guard case .accept(let response, let subprotocol) = reply(to: request()) else {
            Issue.record("refused")
            return
        }
        let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        #expect(
            String(decoding: response.serialized(keepAlive: true), as: UTF8.self)
                == head + "Sec-WebSocket-Accept: \(Self.accept)\r\n\r\n")
        #expect(subprotocol == nil)
    }

    @Test(arguments: [("cdev", "cdev"), ("other", nil), ("c, d", nil)])
    func answersWithASubprotocolOnOffer(chosen: String, expected: String?) {
        let offer = request("GET", [("Sec-WebSocket-Protocol", "cdev.token.abc, cdev")])
        var seen: [String] = []
        let answer = reply(to: offer) { offered in
            seen = offered
            return chosen
        }
        #expect(seen == ["cdev.token.abc", "cdev"])
        guard case .accept(let response, let subprotocol) = answer else {
            Issue.record("refused")
            return
        }
        #expect(subprotocol == expected)
        #expect(response.headers["sec-websocket-protocol"] == expected)
    }

    @Test(arguments: [
        ("Upgrade", nil, 426), ("Upgrade", "h2c", 426), ("Connection", nil, 426), ("Connection", "close", 426),
        ("Sec-WebSocket-Version", "7", 426), ("Sec-WebSocket-Version", nil, 426),
        ("Sec-WebSocket-Key", nil, 400), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ", 400),
        ("Sec-WebSocket-Key", "c2hvcnQ=", 400), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR==", 400),
    ])
    func refuses(field: String, value: String?, code: Int) {
        let response = refusal(of: request("GET", [(field, value)]))
        #expect(response?.status.code == code)
        #expect(response?.body.isEmpty == false)
    }

    @Test func saysWhichVersionItSpeaks() {
        let response = refusal(of: request("GET", [("Sec-WebSocket-Version", "8")]))
        #expect(response?.headers["sec-websocket-version"] == "13")
        #expect(response?.body == Array(#"{"error":"WebSocket version 13 only"}"#.utf8))
    }

    @Test func refusesTwoKeysAnotherVerbContentAndOldHTTP() {
        let key = ("Sec-WebSocket-Key", Optional(Self.key))
        #expect(refusal(of: request("GET", [key, key]))?.status.code == 400)
        #expect(refusal(of: request("POST"))?.status.code == 405)
        #expect(
            refusal(of: HTTPRequest(method: "GET", target: "/", headers: request().headers, body: [1]))?.status.code
                == 400)
        let old = String(decoding: request().serialized(), as: UTF8.self).split(separator: "HTTP/1.1")
        guard
            case .request(let oldRequest) = HTTPRequestParser().events(
                of: Array(old.joined(separator: "HTTP/1.0").utf8)
            ).first
        else {
            Issue.record("not read")
            return
        }
        #expect(refusal(of: oldRequest)?.status.code == 400)
    }

    @Test func bothSidesAgree() throws {
        let key = try #require(Base64.decode(Self.key))
        let request = WebSocketHandshake.request(
            target: "/ws", host: "local", key: key, subprotocols: ["cdev.token.x", "cdev"],
            headers: ["Authorization": "Bearer y"])
        #expect(WebSocketHandshake.isUpgrade(request))
        #expect(request.headers["authorization"] == "Bearer y")
        guard case .accept(let response, "cdev") = reply(to: request, choose: \.last) else {
            Issue.record("refused")
            return
        }
        #expect(WebSocketHandshake.isAccepted(response, key: key, sha1: sha1))
        #expect(!WebSocketHandshake.isAccepted(response, key: [1], sha1: { _ in [0] }))
        #expect(!WebSocketHandshake.isAccepted(HTTPResponse(.ok, headers: response.headers), key: key, sha1: sha1))
    }
}
