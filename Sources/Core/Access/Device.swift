/// Somebody who may come in over the network: a browser or phone that was paired, or a program with a token. No secret is
/// kept, only digests.
package struct Device: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// Traded a pairing token for its own; ends when it has not been seen for `lifetime`.
        case paired
        /// Holds one token that does not expire.
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

    /// `d_` and random letters (`t_` for those of older versions), unique for ever.
    package let id: String
    /// What its owner calls it; unique among the devices that are not revoked.
    package let name: String
    package let rights: Set<Right>
    /// What it says it runs on; empty where it said nothing.
    package let platform: String
    package let createdAt: Timestamp
    package var credential: Credential
    package var lastSeen: Timestamp?
    /// The numeric address it was last seen at.
    package var lastAddress: String?
    /// `nil` while it may come in.
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

    /// Seconds a paired device may stay away.
    package static let lifetime: Double = 7 * 86_400

    /// When it must be paired again if nothing is heard of it until then; `nil` for a token.
    package var expiresAt: Timestamp? {
        guard case .paired(let chain) = credential else { return nil }
        return max(chain.renewedAt, lastSeen ?? chain.renewedAt) + Self.lifetime
    }

    package func isExpired(at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }
}
