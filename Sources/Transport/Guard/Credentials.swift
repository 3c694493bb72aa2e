package import Wire

/// Header fields by which a request names its sender and the way it came. None of them is proof.
extension HTTPRequest {
    /// The subprotocol that is selected if the token comes in another one: a browser that offers subprotocols fails the
    /// handshake if none is selected.
    package static let selectedSubprotocol = "cdev"
    private static let tokenSubprotocol = "cdev.token."

    /// The token of the Authorization field (RFC 6750 section 2.1), else of the field X-API-Key, else of a subprotocol `cdev.token.<token>` that a
    /// WebSocket handshake offers beside `cdev`: browsers cannot set header fields there. `nil` without a token, and
    /// with more than one Authorization or X-API-Key field.
    package var bearerToken: String? {
        let fields = headers.values("authorization")
        if let field = fields.first {
            let parts = field.split(separator: " ", maxSplits: 1)
            guard fields.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            let token = parts[1].drop { $0 == " " }
            return token.isEmpty || token.contains(" ") ? nil : String(token)
        }
        let keys = headers.values("x-api-key")
        if let key = keys.first { return keys.count == 1 && !key.isEmpty && !key.contains(" ") ? key : nil }
        let offered = WebSocketHandshake.subprotocols(of: self)
        guard offered.contains(Self.selectedSubprotocol),
            let carrier = offered.first(where: { $0.hasPrefix(Self.tokenSubprotocol) })
        else { return nil }
        let token = carrier.dropFirst(Self.tokenSubprotocol.count)
        return token.isEmpty ? nil : String(token)
    }

    /// True if a field shows that the request comes from a page in a browser or through a proxy. A program of this
    /// machine that connects to the daemon directly sends none of these fields.
    package var isFromBrowserOrForwarded: Bool {
        headers.contains(Self.foreignFields, orPrefixes: Self.foreignPrefixes)
    }

    private static let foreignPrefixes = ["sec-fetch-", "sec-ch-", "x-forwarded-", "cf-"]
    private static let foreignFields = [
        "client-ip", "fastly-client-ip", "forwarded", "forwarded-for", "origin", "referer", "tailscale-user-login",
        "true-client-ip", "via", "x-client-ip", "x-cluster-client-ip", "x-forwarded", "x-original-forwarded-for",
        "x-original-host", "x-proxyuser-ip", "x-real-ip",
    ]
}
