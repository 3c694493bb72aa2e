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
        case .live(let event): event.workspaceID
        case .record(let record): record.workspaceID
        }
    }

    /// `nil` and `""` as in `workspaceID`.
    package var sessionID: String? {
        switch self {
        case .live(let event): event.sessionID
        case .record(let record): record.sessionID
        }
    }

    /// True if the client with this id gets it.
    package func isFor(client id: String) -> Bool {
        guard case .live(let event) = self, let audience = event.audience else { return true }
        return audience.contains(id)
    }

    /// The approximate bytes of its content, without its small members.
    package var size: Int {
        switch self {
        case .live(let event): event.body.size
        case .record(let record): record.size
        }
    }
}

/// An event for those who are subscribed at that moment: it has no number and is not in the replay.
package struct LiveEvent: Sendable, Hashable {
    package enum Body: Sendable, Hashable {
        case fileChanged(WatchedChange)
        /// Another branch is checked out; `nil` for none.
        case gitBranchChanged(from: String?, to: String?)
        case gitStatusChanged(GitSummary)
        /// The daemon runs, for `uptime` seconds by now.
        case heartbeat(uptime: Int)
        /// Something happened in a session that the daemon runs; the event has the daemon's id of the session.
        indirect case run(RunEvent)
        /// A client looks at a session now; `others` did before. `names` tells of them all who they are, as a resolver
        /// is spelled.
        case sessionJoined(client: String, others: [String], names: [String: String] = [:])
        /// A client looks at a session no more; `remaining` still do.
        case sessionLeft(client: String, remaining: [String], names: [String: String] = [:])
        /// A workspace was added, or a person added one that a session had made.
        case workspaceAdded(Workspace)
        case workspaceRemoved(Workspace)
        /// A client began or ended to watch a session's transcript.
        case sessionWatchChanged(client: String, isWatching: Bool)
        /// A message was added to a transcript that somebody watches.
        case transcriptMessage(TranscriptMessage)

        package var kind: EventKind {
            switch self {
            case .fileChanged: .fileChanged
            case .gitBranchChanged: .gitBranchChanged
            case .gitStatusChanged: .gitStatusChanged
            case .heartbeat: .heartbeat
            case .run(let event): event.kind
            case .sessionJoined: .sessionJoined
            case .sessionLeft: .sessionLeft
            case .workspaceAdded: .workspaceAdded
            case .workspaceRemoved: .workspaceRemoved
            case .sessionWatchChanged: .sessionWatchChanged
            case .transcriptMessage: .transcriptMessage
            }
        }

        /// The approximate bytes of its content, without its small members.
        package var size: Int {
            switch self {
            case .run(let event): event.size
            case .gitStatusChanged(let summary): summary.paths.reduce(0) { $0 + $1.bytes.count }
            case .fileChanged, .gitBranchChanged, .heartbeat, .sessionJoined, .sessionLeft, .sessionWatchChanged,
                .workspaceAdded,
                .workspaceRemoved:
                0
            case .transcriptMessage(let message): message.size
            }
        }
    }

    package let at: Timestamp
    /// `nil` for an event about the daemon itself; `""` if it concerns no workspace.
    package let workspaceID: String?
    /// `nil` and `""` as in `workspaceID`.
    package let sessionID: String?
    package let body: Body
    /// The ids of the clients that get it; `nil` for all.
    package let audience: Set<String>?

    package init(
        at: Timestamp, workspaceID: String? = nil, sessionID: String? = nil, body: Body, audience: Set<String>? = nil
    ) {
        self.at = at
        self.workspaceID = workspaceID
        self.sessionID = sessionID
        self.body = body
        self.audience = audience
    }
}
