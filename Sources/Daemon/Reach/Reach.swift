import Core
import Crypto
import OrderedJSON
import Platform
import Services
import Text
import Transport
import Wire

/// How the daemon is reached from outside: under which address, with which certificate, and what follows from it.
final class Reach: Sendable {
    private let configuration: Configuration
    private let isInsecure: Bool
    let certificates: CertificateKeeper?
    /// Where the daemon listens.
    private let addresses: [TCPAddress]

    init(
        _ configuration: Configuration, addresses: [TCPAddress], home: String, at now: Timestamp, log: ServerLog
    ) throws(StartError) {
        self.configuration = configuration
        self.addresses = addresses
        isInsecure = configuration.isInsecure
        do throws(CryptoError) {
            certificates = try Self.keeper(configuration, home: home, at: now, log: log)
        } catch {
            throw .tls("\(error)")
        }
    }

    private static func keeper(
        _ configuration: Configuration, home: String, at now: Timestamp, log: ServerLog
    ) throws(CryptoError) -> CertificateKeeper? {
        switch configuration.tls {
        case .off: return nil
        case .files(let certificate, let key):
            return try CertificateKeeper(certificate: certificate, key: key, at: now, log: log)
        case .localCA:
            let wanted: @Sendable () -> [CertificateName] = { names(configuration) }
            let files = AuthorityFiles(directory: home + "/tls")
            let authority = try files.load(names: wanted(), at: now.seconds)
            return try CertificateKeeper(authority: authority, wanted: wanted, at: now, log: log)
        }
    }

    /// Everything by which a client may call this daemon.
    private static func names(_ configuration: Configuration) -> [CertificateName] {
        let beyond = isLoopback(configuration.host) ? [] : MachineNames.addresses
        let all = [configuration.host, "localhost", "127.0.0.1", "::1", configuration.publicURL?.host ?? ""]
        return Set((all + MachineNames.hosts + beyond).filter { !isAny($0) }.compactMap(CertificateName.init)).sorted()
    }

    private var port: UInt16 { addresses.first?.port ?? configuration.port }

    /// The beginning of every link: `public_url`, else the address that is listened on.
    var baseURL: BaseURL {
        if let url = configuration.publicURL { return url }
        let host = addresses.first.map(\.host) ?? configuration.host
        let isNamed = !addresses.isEmpty && !Self.isAny(host)
        let name = isNamed ? host : Self.isAny(host) ? Self.anyHost : host
        return BaseURL(isEncrypted: certificates != nil, host: name, port: port)
    }

    /// Whether links lead nowhere but to this machine, and nobody has said that this is what is wanted: `public_url` may
    /// be an address of loopback where a port is forwarded to it.
    var leadsHereOnly: Bool { configuration.publicURL == nil && Self.isLoopback(baseURL.host) }

    /// A daemon on every address is called by the first that other machines can use.
    private static var anyHost: String {
        MachineNames.addresses.first { !isLoopback($0) } ?? "127.0.0.1"
    }

    var isBeyondLoopback: Bool {
        addresses.isEmpty ? !Self.isLoopback(configuration.host) : !addresses.allSatisfy(\.isLoopback)
    }

    /// Whether hooks without a token may come over TCP at all. With a listener to other machines, or a proxy before it,
    /// a loopback address no longer says that the sender is on this machine.
    var takesUnverifiedHooks: Bool {
        configuration.httpHooks ?? (configuration.publicURL == nil && !isBeyondLoopback)
    }

    // MARK: The guard before every request

    func requestGuard(user: UInt32) -> RequestGuard {
        let isAny = addresses.contains { Self.isAny($0.host) }
        let loopback = addresses.contains(where: \.isLoopback) || isAny ? ["localhost", "127.0.0.1", "::1"] : []
        let machine = isBeyondLoopback ? MachineNames.hosts : []
        return RequestGuard(
            names: addresses.map(\.host) + [configuration.host] + loopback + machine, port: port,
            servesAnyAddress: isAny, publicHost: configuration.publicURL.map { ($0.host, $0.port) },
            origins: configuration.allowedOrigins + (configuration.publicURL.map { ["\($0)"] } ?? []), user: user)
    }

    /// The answer to who speaks without encryption from another machine although it could be had; nil for all others.
    /// The Host has been found to be ours before.
    func redirect(of request: HTTPRequest, from peer: Peer) -> HTTPResponse? {
        guard certificates != nil, !peer.isEncrypted, case .tcp(_, isLoopback: false) = peer.endpoint,
            let host = request.authority ?? request.headers["host"], let name = Authority(host)?.host
        else { return nil }
        let known = configuration.publicURL.flatMap { $0.isEncrypted && $0.host == name.lowercased() ? $0 : nil }
        let base = known ?? BaseURL(isEncrypted: true, host: name, port: port)
        let target = request.path + (request.query.map { "?\($0)" } ?? "")
        return .error(
            .permanentRedirect, "this daemon speaks TLS; use \(base)",
            headers: ["Location": base.description + (target.hasPrefix("/") ? target : "/")])
    }

    // MARK: What people are told

    /// What `status/get` shows.
    func description(at now: Timestamp) -> JSONObject {
        [
            "base_url": .string(baseURL.description), "beyond_loopback": .bool(isBeyondLoopback),
            "insecure": .bool(isInsecure && certificates == nil && isBeyondLoopback),
            "public_url": configuration.publicURL.map { .string($0.description) } ?? .null,
            "tls": certificates?.description(at: now) ?? ["mode": "off"],
        ]
    }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    private static func isAny(_ host: String) -> Bool {
        host == "0.0.0.0" || host == "::"
    }
}
