/// The patterns that "for session" would store for a call, as stored forms of `Pattern`; empty lists where none is
/// safe.
package struct RuleOffers: Sendable, Hashable {
    package var allow: [String]
    package var deny: [String]
    /// True if a size limit of the rules was reached, so that at most exactly this call can be allowed again.
    package var isTooLarge: Bool

    package init(allow: [String] = [], deny: [String] = [], isTooLarge: Bool = false) {
        self.allow = allow
        self.deny = deny
        self.isTooLarge = isTooLarge
    }
}
