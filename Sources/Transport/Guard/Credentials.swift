package import Wire

/// What a request says about who sends it and how it came here. None of it is proof.
extension HTTPRequest {
    /// The subprotocol that is selected when a token comes as one: a browser's handshake fails where none is.
    package static let selectedSubprotocol = "cdev"
    private static let tokenSubprotocol = "cdev.token."

    /// The bearer token (RFC 6750 section 2.1), or the one in a WebSocket handshake's `cdev.token.<token>` beside
    /// `cdev`: browsers cannot set fields there. Nil if there is none or more than one Authorization.
    package var bearerToken: String? {
        let fields = headers.values("authorization")
        if let field = fields.first {
            let parts = field.split(separator: " ", maxSplits: 1)
            guard fields.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            let token = parts[1].drop { $0 == " " }
            return token.isEmpty || token.contains(" ") ? nil : String(token)
        }
        let offered = WebSocketHandshake.subprotocols(of: self)
        guard offered.contains(Self.selectedSubprotocol),
            let carrier = offered.first(where: { $0.hasPrefix(Self.tokenSubprotocol) })
        else { return nil }
        let token = carrier.dropFirst(Self.tokenSubprotocol.count)
        return token.isEmpty ? nil : String(token)
    }

    /// Whether it comes from a page in a browser or through a proxy, as far as it says so. A program of this machine
    /// that speaks to the daemon directly sends none of these fields.
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
