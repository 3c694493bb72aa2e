/// An event of the replay: its number, and the whole notification as it was sent.
package struct StoredEvent: Sendable, Hashable {
    package let sequence: Int64
    package let text: String

    package init(sequence: Int64, text: String) {
        self.sequence = sequence
        self.text = text
    }
}

package struct EventPage: Sendable, Hashable {
    /// In ascending order of their numbers.
    package let events: [StoredEvent]
    /// The number to ask for next.
    package let nextSequence: Int64
    /// Events from the asked number on may be missing: they were too old, too many, or lost when the daemon died.
    package let gap: Bool
    /// More events follow this page.
    package let hasMore: Bool

    package init(events: [StoredEvent], nextSequence: Int64, gap: Bool = false, hasMore: Bool = false) {
        self.events = events
        self.nextSequence = nextSequence
        self.gap = gap
        self.hasMore = hasMore
    }
}
