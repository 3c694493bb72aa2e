/// A client that may connect over the network: a browser or phone that was paired, or a program with a token. Holds no
/// secrets, only their digests.
package struct Device: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// Exchanged a pairing token for its own tokens; expires when it was not seen for `lifetime`.
        case paired
        /// Has one token that does not expire.
        case token
    }

    package enum Credential: Sendable, Hashable {
        case paired(RefreshChain)
        /// `hash`: SHA-256 of the token.
        case token(hash: [UInt8])

        package var kind: Kind {
            switch self {
            case .paired: .paired
            case .token: .token
            }
        }
    }

    /// `d_` and 128 random bits (`t_` from older versions); never used again.
    package let id: String
    /// The name its owner gave it; unique among the devices that are not revoked.
    package let name: String
    package let rights: Set<Right>
    /// The platform that it says it runs on; empty if it said nothing.
    package let platform: String
    package let createdAt: Timestamp
    package var credential: Credential
    package var lastSeen: Timestamp?
    /// The numeric address from which it was last seen.
    package var lastAddress: String?
    /// `nil` while its tokens are valid.
    package var revokedAt: Timestamp?
    /// Days after its pairing at which its right ends, however much it is used; `nil` for no such end. From the
    /// configuration, not stored; a token has no end.
    package var days: Int?
    /// The time from which `days` are counted where that is later than the pairing: a device that was paired before
    /// devices had a term. Not stored with the device.
    private var termBegins: Timestamp?

    package init(
        id: String, name: String, rights: Set<Right>, platform: String = "", createdAt: Timestamp,
        credential: Credential, lastSeen: Timestamp? = nil, lastAddress: String? = nil, revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.rights = rights
        self.platform = platform
        self.createdAt = createdAt
        self.credential = credential
        self.lastSeen = lastSeen
        self.lastAddress = lastAddress
        self.revokedAt = revokedAt
    }

    /// Seconds after which a paired device expires if it is not seen.
    package static let lifetime: Double = 7 * 86_400

    /// The time at which the device expires if it is not seen until then; `nil` for a token.
    package var expiresAt: Timestamp? {
        guard case .paired(let chain) = credential else { return nil }
        let unseen = max(chain.renewedAt, lastSeen ?? chain.renewedAt) + Self.lifetime
        return endsAt.map { min($0, unseen) } ?? unseen
    }

    /// The time at which the device's right ends even if it is used; `nil` where there is no such time.
    package var endsAt: Timestamp? {
        guard case .paired = credential, let days else { return nil }
        return max(createdAt, termBegins ?? createdAt) + Double(days) * 86_400
    }

    /// The device with its days counted from `begin` where it was paired before.
    package func withTerm(notBefore begin: Timestamp?) -> Device {
        var device = self
        if let begin, begin > createdAt { device.termBegins = begin }
        return device
    }

    /// True on the last day before `endsAt`.
    package func endsSoon(at now: Timestamp) -> Bool {
        endsAt.map { $0 > now && $0.seconds(since: now) <= 86_400 } ?? false
    }

    /// The reason for which the device has expired.
    package func reasonOfEnd(at now: Timestamp) -> String {
        if let days, let endsAt, endsAt <= now { return "its \(days) days are over (device_days)" }
        return "it was not used for 7 days"
    }

    package func isExpired(at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }
}
