/// The refresh tokens of one device, each exchanged for the next (rotation, RFC 9700 section 4.14.2). All begin with a
/// common part, so that every old token is recognised as the device's without being stored.
///
/// A response can be lost, so the token that was last exchanged may be exchanged again for a minute, as long as no
/// token given for it has been used. Any other old token shows that a token was copied.
package struct RefreshChain: Sendable, Hashable {
    /// The state of a token of this family.
    package enum Verdict: Sendable, Hashable {
        case current
        /// The token that was last exchanged, and no successor has been used: the response was lost.
        case repeated
        case replayed
    }

    /// Digest of the part that all tokens begin with.
    package let family: [UInt8]
    /// Digests of the tokens that may be used now: more than one if the last token was exchanged again.
    package private(set) var current: [[UInt8]]
    /// Digest of the token for which these were given.
    package private(set) var previous: [UInt8]?
    /// The time at which `previous` was first exchanged, or the device was paired.
    package private(set) var renewedAt: Timestamp
    /// The same time by the monotonic clock; `nil` if it was in an earlier run of the daemon.
    private var traded: Uptime?

    /// Seconds for which the last token may be exchanged again.
    package static let grace: Double = 60
    /// The most successors of one token; a client that exchanges it more often loses the first of them.
    static let mostSuccessors = 4

    package init(family: [UInt8], current: [[UInt8]], previous: [UInt8]? = nil, renewedAt: Timestamp) {
        self.family = family
        self.current = current
        self.previous = previous
        self.renewedAt = renewedAt
    }

    package func verdict(on token: [UInt8], at now: Instant) -> Verdict {
        if current.contains(where: { sameDigest($0, token) }) { return .current }
        let age = traded.map { now.uptime.seconds(since: $0) } ?? now.wall.seconds(since: renewedAt)
        guard let previous, sameDigest(previous, token), age <= Self.grace else { return .replayed }
        return .repeated
    }

    /// Exchanges `token` for `next`; changes nothing if the token was replayed.
    package mutating func renew(_ token: [UInt8], with next: [UInt8], at now: Instant) -> Verdict {
        let verdict = verdict(on: token, at: now)
        switch verdict {
        case .current:
            previous = token
            current = [next]
            renewedAt = now.wall
            traded = now.uptime
        case .repeated: current = current.suffix(Self.mostSuccessors - 1) + [next]
        case .replayed: break
        }
        return verdict
    }
}
