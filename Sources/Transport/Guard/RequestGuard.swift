import Text
package import Wire

/// Checks every request and every WebSocket handshake before its route is looked up. It knows listeners, not rights.
///
/// Loopback is not trusted: any page in a browser reaches 127.0.0.1. A page that rebinds its own name to 127.0.0.1
/// sends that name as Host; a page that sends requests across origins sends its Origin.
package struct RequestGuard: Sendable {
    private let names: Set<String>
    private let ports: Set<UInt16>
    private let servesAnyAddress: Bool
    private let publicHost: (name: String, port: UInt16)?
    private let origins: Set<String>
    private let user: UInt32

    /// - Parameters:
    ///   - names: The host names and numeric addresses that are served, without port or brackets.
    ///   - ports: The ports of `names`. A Host field may leave it out, but may not have another one.
    ///   - servesAnyAddress: True for a listener on `0.0.0.0` or `::`: every numeric address counts as served. Numeric
    ///     addresses cannot be rebound, so no page can use them against the guard.
    ///   - publicHost: The name and the port by which a proxy or a forwarded port is reached.
    ///   - origins: The origins whose pages may send requests, such as `https://app.example`.
    ///   - user: The only uid that may use the Unix socket.
    package init(
        names: [String], ports: Set<UInt16>, servesAnyAddress: Bool = false, publicHost: (String, UInt16)? = nil,
        origins: [String], user: UInt32
    ) {
        self.names = Set(names.map(Self.normalized))
        self.ports = ports
        self.servesAnyAddress = servesAnyAddress
        self.publicHost = publicHost.map { (Self.normalized($0.0), $0.1) }
        self.origins = Set(origins.map(Self.origin))
        self.user = user
    }

    /// Returns the response to a request that is refused; `nil` if the request may go on.
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

    /// Refuses requests that come to the Unix socket from a browser or through a proxy. The kernel proves which user
    /// has connected, but a proxy or a forwarded port may pass on requests of any web page, which would have that
    /// user's rights.
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
        // Rebinding changes the name only, so the port may be missing: simple clients and some proxies leave it out.
        if let publicHost, publicHost.name == normal, portText.isEmpty || UInt16(portText) == publicHost.port {
            return true
        }
        return listens(on: host)
    }

    private func listens(on host: String) -> Bool {
        guard let authority = Authority(host) else { return false }
        let (normal, portText) = (Self.normalized(authority.host), authority.port ?? "")
        guard portText.isEmpty || UInt16(portText).map(ports.contains) == true else { return false }
        return names.contains(normal) || servesAnyAddress && authority.isNumericAddress
    }

    /// Refuses requests for images and links of other sites' pages. These come without an Origin field, and browsers
    /// mark them (Fetch Metadata, W3C). Requests with an Origin field are left to `originRefusal`, which allows some.
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

    /// Returns true if the origin is that of the page which this daemon serves: the scheme by which the request came,
    /// and the host and port in its Host field, on which the daemon listens. The same machine with another port or the
    /// other scheme is another origin. The page under `publicHost` is among `origins`, with the scheme that it has
    /// there.
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
