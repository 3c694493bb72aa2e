/// An event of the replay.
package enum StoredEvent: Sendable, Hashable {
    /// Of version 1, which kept no records but what the clients of that time were sent: the whole JSON-RPC notification.
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
