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
    /// The tokens of `current` that were not sent yet, because they are not written.
    private var unsent: Set<[UInt8]> = []
    /// The state before `previous` was exchanged; `nil` once a successor may have been sent.
    private var earlier: State?

    /// Seconds for which the last token may be exchanged again.
    package static let grace: Double = 60
    /// The most successors of one token that were sent; a client that exchanges it more often loses the first of them.
    static let mostSuccessors = 4

    private struct State: Sendable, Hashable {
        let current: [[UInt8]]
        let previous: [UInt8]?
        let renewedAt: Timestamp
        let traded: Uptime?
    }

    package init(family: [UInt8], current: [[UInt8]], previous: [UInt8]? = nil, renewedAt: Timestamp) {
        self.family = family
        self.current = current
        self.previous = previous
        self.renewedAt = renewedAt
    }

    package func verdict(on token: [UInt8], at now: Instant) -> Verdict {
        if current.contains(where: { sameDigest($0, token) }) { return .current }
        guard let previous, sameDigest(previous, token) else { return .replayed }
        let age = traded.map { now.uptime.seconds(since: $0) } ?? now.wall.seconds(since: renewedAt)
        return earlier != nil || age <= Self.grace ? .repeated : .replayed
    }

    /// Exchanges `token` for `next`; changes nothing if the token was replayed. Once `next` was written, or could not
    /// be, `confirm` or `withdraw` must follow.
    package mutating func renew(_ token: [UInt8], with next: [UInt8], at now: Instant) -> Verdict {
        let verdict = verdict(on: token, at: now)
        switch verdict {
        case .current:
            earlier = State(current: current, previous: previous, renewedAt: renewedAt, traded: traded)
            previous = token
            current = [next]
            unsent = [next]
            renewedAt = now.wall
            traded = now.uptime
        case .repeated:
            current.append(next)
            unsent.insert(next)
        case .replayed: break
        }
        return verdict
    }

    /// `next` was written and is about to be sent.
    package mutating func confirm(_ next: [UInt8]) {
        guard unsent.remove(next) != nil else { return }
        earlier = nil
        let sent = current.filter { !unsent.contains($0) }
        if sent.count > Self.mostSuccessors { current.removeAll { $0 == sent[0] } }
    }

    /// `next` could not be written and is never sent. The exchange is undone with the last of its successors, in
    /// whatever order their writes fail, so that the token that the client has is valid again.
    package mutating func withdraw(_ next: [UInt8]) {
        guard unsent.remove(next) != nil else { return }
        current.removeAll { $0 == next }
        guard current.isEmpty, let earlier else { return }
        current = earlier.current
        previous = earlier.previous
        renewedAt = earlier.renewedAt
        traded = earlier.traded
        self.earlier = nil
    }
}
