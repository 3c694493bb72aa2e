package import Crypto
import Text
package import Wire

/// Under which addresses the server is reached, and what follows from it for requests and links.
package struct Reach: Sendable {
    /// Where the server listens.
    private let addresses: [TCPAddress]
    /// As it is configured: a name or a numeric address, and the port that stands for any.
    private let host: String
    private let port: UInt16
    private let isEncrypted: Bool
    package let publicURL: BaseURL?
    private let origins: [String]

    /// - Parameters:
    ///   - addresses: where the server listens.
    ///   - host: what was asked for: a name or a numeric address.
    ///   - isEncrypted: whether the listener speaks TLS.
    ///   - publicURL: where a proxy or a forwarded port is reached, if there is one.
    ///   - origins: of pages that may ask beside our own, such as `https://app.example`.
    package init(addresses: [TCPAddress], host: String, isEncrypted: Bool, publicURL: BaseURL?, origins: [String]) {
        self.addresses = addresses
        self.host = host
        self.isEncrypted = isEncrypted
        self.publicURL = publicURL
        self.origins = origins
        port = addresses.first?.port ?? 0
    }

    /// The beginning of every link: `publicURL`, else the address that is listened on.
    package var baseURL: BaseURL {
        if let publicURL { return publicURL }
        let name = addresses.first?.host ?? host
        return BaseURL(isEncrypted: isEncrypted, host: Self.isAny(name) ? Self.anyHost : name, port: port)
    }

    /// Whether links lead nowhere but to this machine, and nobody has said that this is what is wanted: `publicURL` may
    /// be an address of loopback where a port is forwarded to it.
    package var leadsHereOnly: Bool { publicURL == nil && Self.isLoopback(baseURL.host) }

    package var isBeyondLoopback: Bool {
        addresses.isEmpty ? !Self.isLoopback(host) : !addresses.allSatisfy(\.isLoopback)
    }

    /// Everything by which a client may call this server.
    package var certificateNames: [CertificateName] {
        let beyond = Self.isLoopback(host) ? [] : MachineNames.addresses
        let all = [host, "localhost", "127.0.0.1", "::1", publicURL?.host ?? ""]
        return Set((all + MachineNames.hosts + beyond).filter { !Self.isAny($0) }.compactMap(CertificateName.init))
            .sorted()
    }

    /// - Parameter user: the only uid that may use the Unix socket.
    package func requestGuard(user: UInt32) -> RequestGuard {
        let isAny = addresses.contains { Self.isAny($0.host) }
        let loopback = addresses.contains(where: \.isLoopback) || isAny ? ["localhost", "127.0.0.1", "::1"] : []
        let machine = isBeyondLoopback ? MachineNames.hosts : []
        return RequestGuard(
            names: addresses.map(\.host) + [host] + loopback + machine, port: port, servesAnyAddress: isAny,
            publicHost: publicURL.map { ($0.host, $0.port) },
            origins: origins + (publicURL.map { ["\($0)"] } ?? []), user: user)
    }

    /// The answer to who speaks without encryption from another machine although it could be had; nil for all others.
    /// The Host has been found to be ours before.
    package func redirect(of request: HTTPRequest, from peer: Peer) -> HTTPResponse? {
        guard isEncrypted, !peer.isEncrypted, case .tcp(_, isLoopback: false) = peer.endpoint,
            let host = request.authority ?? request.headers["host"], let name = Authority(host)?.host
        else { return nil }
        let known = publicURL.flatMap { $0.isEncrypted && $0.host == name.lowercased() ? $0 : nil }
        let base = known ?? BaseURL(isEncrypted: true, host: name, port: port)
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        return .error(
            .permanentRedirect, "this daemon speaks TLS; use \(base)",
            headers: ["Location": base.description + (target.hasPrefix("/") ? target : "/")])
    }

    package static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    private static func isAny(_ host: String) -> Bool {
        host == "0.0.0.0" || host == "::"
    }

    /// A server on every address is called by the first that other machines can use.
    private static var anyHost: String {
        MachineNames.addresses.first { !isLoopback($0) } ?? "127.0.0.1"
    }
}
