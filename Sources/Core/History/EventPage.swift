/// An event of the replay.
package enum StoredEvent: Sendable, Hashable {
    /// An event of version 1 of the database: the whole JSON-RPC notification that clients of that time were sent.
    case notification(sequence: Int64, text: String)
    case record(EventRecord)

    package var sequence: Int64 {
        switch self {
        case .notification(let sequence, _): sequence
        case .record(let record): record.sequence
        }
    }
}

package struct EventPage: Sendable, Hashable {
    /// In ascending order of their numbers.
    package let events: [StoredEvent]
    /// The number to ask for next.
    package let nextSequence: Int64
    /// True if events from the requested number on may be missing: they were too old, too many, or lost when the daemon
    /// died.
    package let gap: Bool
    /// True if more events follow this page.
    package let hasMore: Bool

    package init(events: [StoredEvent], nextSequence: Int64, gap: Bool = false, hasMore: Bool = false) {
        self.events = events
        self.nextSequence = nextSequence
        self.gap = gap
        self.hasMore = hasMore
    }
}
