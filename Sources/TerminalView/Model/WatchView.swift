/// A view that stands in the card's place: what was decided, or the rules in force.
package enum WatchView: String, Sendable, Hashable {
    case history, rules
}

/// A row of a view. All texts may be foreign.
package struct ViewRow: Sendable, Hashable {
    /// The local time, or another short text.
    package let time: String
    /// `allow`, `deny` or another decision; its colour is that of the outcome.
    package let decision: String
    /// The decision in words.
    package let words: String
    package let text: String
    /// The one who decided, and the session.
    package let note: String
    /// The rule that the row's number revokes; `nil` in a list of anything else.
    package let ruleID: String?

    package init(
        time: String, decision: String, words: String, text: String, note: String, ruleID: String? = nil
    ) {
        self.time = time
        self.decision = decision
        self.words = words
        self.text = text
        self.note = note
        self.ruleID = ruleID
    }
}
