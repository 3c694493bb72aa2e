/// An event on its way to subscribers.
package enum PublishedEvent: Sendable {
    case live(LiveEvent)
    case record(EventRecord)

    package var kind: EventKind {
        switch self {
        case .live(let event): event.body.kind
        case .record(let record): record.kind
        }
    }

    /// `nil` of what concerns the daemon itself, which every subscriber hears, and `""` where a record concerns none.
    package var workspaceID: String? {
        switch self {
        case .live: nil
        case .record(let record): record.workspaceID
        }
    }

    /// As `workspaceID`.
    package var sessionID: String? {
        switch self {
        case .live: nil
        case .record(let record): record.sessionID
        }
    }

    /// About how many bytes it holds beside its small fields.
    package var size: Int {
        switch self {
        case .live: 0
        case .record(let record): record.size
        }
    }
}

/// An event that only those hear who listen at that moment: it has no number, and nobody can ask for it later.
package struct LiveEvent: Sendable, Hashable {
    package enum Body: Sendable, Hashable {
        /// The daemon lives, since so many seconds.
        case heartbeat(uptime: Int)

        package var kind: EventKind {
            switch self {
            case .heartbeat: .heartbeat
            }
        }
    }

    package let at: Timestamp
    package let body: Body

    package init(at: Timestamp, body: Body) {
        self.at = at
        self.body = body
    }
}
