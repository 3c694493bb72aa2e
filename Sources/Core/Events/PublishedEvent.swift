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

    /// `nil` for an event about the daemon itself, which every subscriber gets; `""` for a record that concerns no
    /// workspace.
    package var workspaceID: String? {
        switch self {
        case .live: nil
        case .record(let record): record.workspaceID
        }
    }

    /// `nil` and `""` as in `workspaceID`.
    package var sessionID: String? {
        switch self {
        case .live: nil
        case .record(let record): record.sessionID
        }
    }

    /// The approximate bytes of its content, without its small members.
    package var size: Int {
        switch self {
        case .live: 0
        case .record(let record): record.size
        }
    }
}

/// An event for those who are subscribed at that moment: it has no number and is not in the replay.
package struct LiveEvent: Sendable, Hashable {
    package enum Body: Sendable, Hashable {
        /// The daemon runs, for `uptime` seconds by now.
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
