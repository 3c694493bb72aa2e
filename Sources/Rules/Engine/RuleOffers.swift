/// What "for session" would remember of a call, as stored forms of `Pattern`; empty lists where nothing is safe.
package struct RuleOffers: Sendable, Hashable {
    package var allow: [String]
    package var deny: [String]
    /// A limit of what rules look at ended the question: at most exactly this call can be allowed again.
    package var isTooLarge: Bool

    package init(allow: [String] = [], deny: [String] = [], isTooLarge: Bool = false) {
        self.allow = allow
        self.deny = deny
        self.isTooLarge = isTooLarge
    }
}
