package import Crypto
import Text
package import Wire

/// The addresses under which the server is reached. Links, the names in its certificate, the request guard and
/// redirects are derived from them.
package struct Reach: Sendable {
    /// The addresses that the server listens on.
    private let addresses: [TCPAddress]
    /// The host of the configuration: a name or a numeric address.
    private let host: String
    /// The port of all `addresses`; 0 if there are none.
    private let port: UInt16
    private let otherPorts: Set<UInt16>
    private let isEncrypted: Bool
    package let publicURL: BaseURL?
    private let origins: [String]

    /// - Parameters:
    ///   - addresses: The addresses that the server listens on.
    ///   - host: The host of the configuration: a name or a numeric address.
    ///   - otherPorts: Further ports of the same addresses.
    ///   - isEncrypted: True if the listener speaks TLS.
    ///   - publicURL: The address of a proxy or of a forwarded port, if there is one.
    ///   - origins: The origins of pages that may send requests beside our own, such as `https://app.example`.
    package init(
        addresses: [TCPAddress], host: String, otherPorts: Set<UInt16> = [], isEncrypted: Bool, publicURL: BaseURL?,
        origins: [String]
    ) {
        self.addresses = addresses
        self.otherPorts = otherPorts
        self.host = host
        self.isEncrypted = isEncrypted
        self.publicURL = publicURL
        self.origins = origins
        port = addresses.first?.port ?? 0
    }

    /// The beginning of every link: `publicURL`, else the address that the server listens on.
    package var baseURL: BaseURL {
        if let publicURL { return publicURL }
        let name = addresses.first?.host ?? host
        return BaseURL(isEncrypted: isEncrypted, host: Self.isAny(name) ? Self.anyHost : name, port: port)
    }

    /// True if links work on this machine only and `publicURL` is not set. A `publicURL` on loopback is intended: a
    /// port of another machine may be forwarded to it.
    package var leadsHereOnly: Bool { publicURL == nil && Self.isLoopback(baseURL.host) }

    package var isBeyondLoopback: Bool {
        addresses.isEmpty ? !Self.isLoopback(host) : !addresses.allSatisfy(\.isLoopback)
    }

    /// The names and addresses by which clients may reach this server, for its certificate.
    package var certificateNames: [CertificateName] {
        let beyond = Self.isLoopback(host) ? [] : MachineNames.addresses
        let all = [host, "localhost", "127.0.0.1", "::1", publicURL?.host ?? ""]
        return Set((all + MachineNames.hosts + beyond).filter { !Self.isAny($0) }.compactMap(CertificateName.init))
            .sorted()
    }

    /// - Parameter user: The only uid that may use the Unix socket.
    package func requestGuard(user: UInt32) -> RequestGuard {
        let isAny = addresses.contains { Self.isAny($0.host) }
        let loopback = addresses.contains(where: \.isLoopback) || isAny ? ["localhost", "127.0.0.1", "::1"] : []
        let machine = isBeyondLoopback ? MachineNames.hosts : []
        return RequestGuard(
            names: addresses.map(\.host) + [host] + loopback + machine, ports: otherPorts.union([port]),
            servesAnyAddress: isAny,
            publicHost: publicURL.map { ($0.host, $0.port) },
            origins: origins + (publicURL.map { ["\($0)"] } ?? []), user: user)
    }

    /// 308 to the TLS address for a client of another machine that speaks plain HTTP although the server has TLS; `nil`
    /// for all other requests. The Host field was checked before.
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

    /// The host in links of a server that listens on every address: the first address that other machines can use.
    private static var anyHost: String {
        MachineNames.addresses.first { !isLoopback($0) } ?? "127.0.0.1"
    }
}
