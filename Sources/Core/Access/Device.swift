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
        return max(chain.renewedAt, lastSeen ?? chain.renewedAt) + Self.lifetime
    }

    package func isExpired(at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }
}
