/// An answer link as it is stored: its secret gives one answer to one request, and only the secret's digest is kept.
package struct AnswerLink: Sendable, Hashable {
    /// SHA-256 of the secret: 32 bytes.
    package let hash: [UInt8]
    package let requestID: String
    /// The opening of the request: a link is not valid for a later one.
    package let opening: Int
    /// `allow` or `deny`.
    package let verb: Decision
    /// The id of the channel through which it was sent; the link is valid only as long as the channel exists.
    package let channel: String
    /// Digest of the channel's address and secrets when the link was made.
    package let destination: [UInt8]
    package let createdAt: Timestamp
    /// The link is kept at most until then. It is invalid before, once its request has ended.
    package let expiresAt: Timestamp
    /// The time at which its answer was accepted.
    package var usedAt: Timestamp?

    package init(
        hash: [UInt8], requestID: String, opening: Int, verb: Decision, channel: String, destination: [UInt8],
        createdAt: Timestamp, expiresAt: Timestamp, usedAt: Timestamp? = nil
    ) {
        self.hash = hash
        self.requestID = requestID
        self.opening = opening
        self.verb = verb
        self.channel = channel
        self.destination = destination
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usedAt = usedAt
    }

    /// The decisions for which a notice may carry links; a channel sends those of them that it is allowed to.
    ///
    /// None for an unverified request, or where an allow needs a typed word. No allow for questions and plans, which
    /// have to be read first.
    package static func verbs(for notice: Notice) -> Set<Decision> {
        guard case .asked(let request) = notice.subject, !request.isUnverified, request.confirm == nil else {
            return []
        }
        return request.tool.kind.isForUser ? [.deny] : [.allow, .deny]
    }
}
