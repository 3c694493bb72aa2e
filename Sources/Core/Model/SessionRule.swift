package import Rules

/// A rule a person granted for one Claude session.
package struct SessionRule: Sendable, Hashable {
    package enum Effect: String, Sendable, Hashable {
        case allow, deny
    }

    /// `rule_` and random letters, unique for ever.
    package let id: String
    package let sessionID: String
    package let effect: Effect
    /// Stored form of a `Pattern`.
    package let pattern: String
    /// The same, read once; `nil` where it cannot be read, and then the rule matches nothing.
    package let parsed: Pattern?
    package let createdAt: Timestamp
    /// `local` or `device NAME`, as in `Resolver`, for people; a name may be given again.
    package let grantedBy: String
    /// The device that granted it, with which it goes; nil where it was the local user.
    package let deviceID: String?
    /// The request whose answer made it.
    package let requestID: String
    /// Starts as `createdAt`; a rule dies 24 h after it.
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
}
