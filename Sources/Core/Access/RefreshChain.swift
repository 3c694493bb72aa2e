/// The refresh tokens of one device: each is traded for the next. They begin with a part they all share, so that every
/// token the device ever had is known for one, however old, without keeping them.
///
/// An answer can be lost on its way, so the token that was last traded may be traded again for a minute, as long as
/// nothing it was traded for has been used. Any other of the family was copied, or its successor was.
package struct RefreshChain: Sendable, Hashable {
    /// What is to be thought of a token of this family.
    package enum Verdict: Sendable, Hashable {
        case current
        /// The last one, and its successor has not been used: the answer was lost.
        case repeated
        case replayed
    }

    /// Digest of the part all share.
    package let family: [UInt8]
    /// Digests of those that may be used now: more than one where an answer was asked for again.
    package private(set) var current: [[UInt8]]
    /// Digest of the one these were given for.
    package private(set) var previous: [UInt8]?
    /// When `previous` was first traded, or the device was paired.
    package private(set) var renewedAt: Timestamp
    /// The same to measure by; `nil` where it was in an earlier run of the daemon.
    private var traded: Uptime?

    /// Seconds in which the last token is still good.
    package static let grace: Double = 60
    /// Successors that are kept for one token; a client that asks still more often loses the first of them.
    static let siblings = 4

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

    /// Trades `token` for `next`; nothing changes where it may not be.
    package mutating func renew(_ token: [UInt8], with next: [UInt8], at now: Instant) -> Verdict {
        let verdict = verdict(on: token, at: now)
        switch verdict {
        case .current:
            previous = token
            current = [next]
            renewedAt = now.wall
            traded = now.uptime
        case .repeated: current = current.suffix(Self.siblings - 1) + [next]
        case .replayed: break
        }
        return verdict
    }
}
