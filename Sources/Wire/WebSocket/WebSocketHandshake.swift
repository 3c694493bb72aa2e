/// The opening handshake (RFC 6455 section 4). The server must check Origin, Host and rights before it replies.
package enum WebSocketHandshake {
    /// A server's reply to an upgrade.
    package enum Reply: Sendable {
        /// Send this 101 response, then switch to WebSocket with the chosen subprotocol.
        case accept(HTTPResponse, subprotocol: String?)
        /// Send this response and do not switch.
        case refuse(HTTPResponse)
    }

    private static let version = "13"
    private static let acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// True if the request asks for an upgrade to WebSocket.
    package static func isUpgrade(_ request: HTTPRequest) -> Bool {
        request.headers.contains("websocket", in: "upgrade")
    }

    /// The subprotocols that the client offers, in its order of preference.
    package static func subprotocols(of request: HTTPRequest) -> [String] {
        request.headers.list("sec-websocket-protocol")
    }

    /// Checks the request and makes the reply.
    /// - Parameter choose: picks one of the offered subprotocols, or none. A subprotocol that was not offered counts as
    ///   none, because no client accepts it.
    /// - Parameter sha1: returns the SHA-1 digest of bytes, twenty bytes long.
    package static func reply(
        to request: HTTPRequest, choose: ([String]) -> String?, sha1: ([UInt8]) -> [UInt8]
    ) -> Reply {
        if let refusal = refusal(of: request) { return .refuse(refusal) }
        let key = request.headers["sec-websocket-key"] ?? ""
        var response = HTTPResponse(.switchingProtocols, headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        response.headers.append("Sec-WebSocket-Accept", acceptKey(for: key, sha1: sha1))
        let offered = subprotocols(of: request)
        let chosen = choose(offered).flatMap { offered.contains($0) ? $0 : nil }
        if let chosen { response.headers.append("Sec-WebSocket-Protocol", chosen) }
        return .accept(response, subprotocol: chosen)
    }

    /// The value of Sec-WebSocket-Accept for the client's `key`.
    package static func acceptKey(for key: String, sha1: ([UInt8]) -> [UInt8]) -> String {
        Base64.encode(sha1(Array((key + acceptSuffix).utf8)))
    }

    /// A client's upgrade request.
    /// - Parameter key: sixteen random bytes.
    package static func request(
        target: String, host: String, key: [UInt8], subprotocols: [String] = [], headers: HTTPHeaders = [:]
    ) -> HTTPRequest {
        var all: HTTPHeaders = [
            "Host": host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": version,
            "Sec-WebSocket-Key": Base64.encode(key),
        ]
        if !subprotocols.isEmpty { all.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")) }
        for (name, value) in headers { all.append(name, value) }
        return HTTPRequest(method: "GET", target: target, headers: all)
    }

    /// True if `response` accepts the handshake that was begun with `key`. If so, the client switches to WebSocket.
    package static func isAccepted(_ response: HTTPResponse, key: [UInt8], sha1: ([UInt8]) -> [UInt8]) -> Bool {
        response.status.code == 101
            && response.headers.contains("websocket", in: "upgrade")
            && response.headers.contains("upgrade", in: "connection")
            && response.headers["sec-websocket-accept"] == acceptKey(for: Base64.encode(key), sha1: sha1)
    }

    private static func refusal(of request: HTTPRequest) -> HTTPResponse? {
        let headers = request.headers
        guard request.method == "GET" else {
            return .error(.methodNotAllowed, "a WebSocket begins with GET", headers: ["Allow": "GET"])
        }
        guard headers.contains("websocket", in: "upgrade"), headers.contains("upgrade", in: "connection") else {
            return .error(
                .upgradeRequired, "this address speaks WebSocket only",
                headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard request.version == .http11 else { return .error(.badRequest, "a WebSocket needs HTTP/1.1") }
        guard headers.values("sec-websocket-version") == [version] else {
            return .error(
                .upgradeRequired, "WebSocket version 13 only", headers: ["Sec-WebSocket-Version": version])
        }
        let keys = headers.values("sec-websocket-key")
        guard keys.count == 1, Base64.decode(keys[0])?.count == 16 else {
            return .error(.badRequest, "Sec-WebSocket-Key is not sixteen bytes in base64")
        }
        guard request.body.isEmpty else { return .error(.badRequest, "an upgrade must not carry content") }
        return nil
    }
}
