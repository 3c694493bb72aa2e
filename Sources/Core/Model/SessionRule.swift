package import Rules

/// An allow or deny rule that a person made for one session.
package struct SessionRule: Sendable, Hashable {
    package enum Effect: String, Sendable, Hashable {
        case allow, deny
    }

    /// `rule_`, 80 random bits and the time in base 32; unique for ever.
    package let id: String
    package let sessionID: String
    package let effect: Effect
    /// The stored form of a `Pattern`.
    package let pattern: String
    /// The parsed pattern; `nil` if it cannot be parsed, and then the rule matches nothing.
    package let parsed: Pattern?
    package let createdAt: Timestamp
    /// `local` or `device NAME`, as in `Resolver`, for people. A name can be used again later.
    package let grantedBy: String
    /// The device that granted it, with which the rule ends; nil if it was the local user.
    package let deviceID: String?
    /// The request whose answer made it.
    package let requestID: String
    /// `createdAt` at first; a rule expires 24 h after its last match.
    package var lastMatch: Timestamp

    package init(
        id: String, sessionID: String, effect: Effect, pattern: String, createdAt: Timestamp, grantedBy: String,
        deviceID: String? = nil, requestID: String, lastMatch: Timestamp? = nil
    ) {
        self.id = id
        self.sessionID = sessionID
        self.effect = effect
        self.pattern = pattern
        parsed = Pattern(stored: pattern)
        self.createdAt = createdAt
        self.grantedBy = grantedBy
        self.deviceID = deviceID
        self.requestID = requestID
        self.lastMatch = lastMatch ?? createdAt
    }

    /// The person who made it, in words for people.
    package var grantor: String { OutcomeWords.who(grantedBy) }

    /// `allowed for the session by phone`.
    package var words: String {
        OutcomeWords.text(effect.rawValue, scope: Scope.session.rawValue, by: grantedBy)
    }
}
