/// A secret that gives one answer to one question, as it is kept: never the secret itself.
package struct AnswerLink: Sendable, Hashable {
    /// SHA-256 of the secret: 32 bytes.
    package let hash: [UInt8]
    package let requestID: String
    /// Of the request: a card that is opened again asks anew.
    package let opening: Int
    /// `allow` or `deny`.
    package let verb: Decision
    /// Through which it was sent; with the channel it dies.
    package let channel: String
    /// Digest of where that channel led, and of its secrets, when the link was made.
    package let destination: [UInt8]
    package let createdAt: Timestamp
    /// Kept no longer than that. It is dead before, once its question has ended.
    package let expiresAt: Timestamp
    /// When its answer was accepted.
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

    /// The answers that may be given to this question by a link; of these a channel offers what it is allowed to.
    ///
    /// None where nobody vouches for the question, or where an allow needs a word. An allow only where title and command say what is allowed: a form
    /// or a plan has to be read.
    package static func verbs(for notice: Notice) -> Set<Decision> {
        guard case .asked(let request) = notice.subject, !request.isUnverified, request.confirm == nil else {
            return []
        }
        return ["AskUserQuestion", "ExitPlanMode"].contains(request.toolName) ? [.deny] : [.allow, .deny]
    }
}
