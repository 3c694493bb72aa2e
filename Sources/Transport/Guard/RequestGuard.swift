import Text
package import Wire

/// The check that stands before every route and every WebSocket handshake. It knows listeners, not rights.
///
/// Loopback is not trusted: any page in a browser reaches 127.0.0.1. A page that rebinds its own name to it sends that
/// name as Host; a page that asks across origins sends its Origin.
package struct RequestGuard: Sendable {
    private let names: Set<String>
    private let port: UInt16
    private let servesAnyAddress: Bool
    private let publicHost: (name: String, port: UInt16)?
    private let origins: Set<String>
    private let user: UInt32

    /// - Parameters:
    ///   - names: host names and numeric addresses that are served, without port or brackets.
    ///   - port: the port that goes with them; it may be left out of a Host field, but not be another.
    ///   - servesAnyAddress: for a listener on `0.0.0.0` or `::`: every numeric address counts as served. An address
    ///     cannot be rebound, so this is no way in for a page.
    ///   - publicHost: a name by which a proxy or a port forward is reached, and the port that goes with it there.
    ///   - origins: origins that may ask, such as `https://app.example`.
    ///   - user: the only uid that may use the Unix socket.
    package init(
        names: [String], port: UInt16, servesAnyAddress: Bool = false, publicHost: (String, UInt16)? = nil,
        origins: [String], user: UInt32
    ) {
        self.names = Set(names.map(Self.normalized))
        self.port = port
        self.servesAnyAddress = servesAnyAddress
        self.publicHost = publicHost.map { (Self.normalized($0.0), $0.1) }
        self.origins = Set(origins.map(Self.origin))
        self.user = user
    }

    /// The answer to a request that must go no further; nil if it may.
    package func refusal(of request: HTTPRequest, from peer: Peer) -> HTTPResponse? {
        switch peer.endpoint {
        case .unix(let uid, _): userRefusal(uid) ?? forwardRefusal(request)
        case .tcp:
            hostRefusal(request) ?? originRefusal(request, overTLS: peer.isEncrypted) ?? siteRefusal(request)
        }
    }

    private func userRefusal(_ uid: UInt32) -> HTTPResponse? {
        uid == user ? nil : .error(.forbidden, "this socket is for the user \(user) only, you are \(uid)")
    }

    /// The kernel vouches for a Unix peer, but not for whom it speaks: behind a proxy or a forwarded port there may be
    /// any page of any browser, and it would have the user's own rights.
    private func forwardRefusal(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.isFromBrowserOrForwarded else { return nil }
        return .error(
            .forbidden, "this socket is for programs of this machine; let proxies and forwarded ports lead to the port")
    }

    private func hostRefusal(_ request: HTTPRequest) -> HTTPResponse? {
        let hosts = request.headers.values("host") + (request.authority.map { [$0] } ?? [])
        if !hosts.isEmpty, hosts.allSatisfy(serves) { return nil }
        return .error(
            .misdirectedRequest,
            "no such host here: \(hosts.first ?? "none"); use a name or address and port that this daemon serves")
    }

    private func serves(_ host: String) -> Bool {
        guard let authority = Authority(host) else { return false }
        let (normal, portText) = (Self.normalized(authority.host), authority.port ?? "")
        // What rebinding changes is the name. Simple clients leave the port out, and proxies on the way may.
        if let publicHost, publicHost.name == normal, portText.isEmpty || UInt16(portText) == publicHost.port {
            return true
        }
        return listens(on: host)
    }

    private func listens(on host: String) -> Bool {
        guard let authority = Authority(host) else { return false }
        let (normal, portText) = (Self.normalized(authority.host), authority.port ?? "")
        guard portText.isEmpty || UInt16(portText) == port else { return false }
        return names.contains(normal) || servesAnyAddress && authority.isNumericAddress
    }

    /// Images and links of other sites' pages come without an origin, and browsers say so (Fetch Metadata, W3C). A page
    /// with an origin was judged by that: some are let in.
    private func siteRefusal(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.path.hasPrefix("/api/"), request.headers["origin"] == nil,
            request.headers.values("sec-fetch-site").contains(where: { ["cross-site", "same-site"].contains($0) })
        else { return nil }
        return .error(.forbidden, "pages of other sites may ask nothing here")
    }

    private func originRefusal(_ request: HTTPRequest, overTLS: Bool) -> HTTPResponse? {
        let sent = request.headers.values("origin")
        let isAllowed = sent.allSatisfy { origins.contains(Self.origin($0)) || isOwn($0, request, overTLS: overTLS) }
        if sent.count <= 1, isAllowed { return nil }
        return .error(
            .forbidden, "pages of \(sent[0]) may not use this daemon; add it to allowed_origins if they should")
    }

    /// The page this daemon serves: its origin is the very host, port included, that the request is for, under the scheme
    /// it came by, and that host is one we listen on. Another port of the same machine is somebody else, and so is the
    /// other scheme. What a proxy serves under `publicHost` is among `origins`, with the scheme it has there.
    private func isOwn(_ origin: String, _ request: HTTPRequest, overTLS: Bool) -> Bool {
        guard let host = request.authority ?? request.headers["host"], listens(on: host) else { return false }
        return Self.origin(origin) == (overTLS ? "https://" : "http://") + host.lowercased()
    }

    private static func normalized(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    private static func origin(_ text: String) -> String {
        let lower = text.lowercased()
        return lower.hasSuffix("/") ? String(lower.dropLast()) : lower
    }
}
