import OrderedJSON

/// An event, numbered and kept for the replay. Its form is no client's: dialects encode the events that their clients
/// subscribe to.
package struct EventRecord: Sendable, Hashable {
    /// Rises by at least 1 with each record, also across restarts; gaps are allowed.
    package let sequence: Int64
    package let at: Timestamp
    /// `""` if it concerns no workspace.
    package let workspaceID: String
    /// `""` if it concerns no session.
    package let sessionID: String
    package let body: EventBody

    package init(sequence: Int64, at: Timestamp, workspaceID: String = "", sessionID: String, body: EventBody) {
        self.sequence = sequence
        self.at = at
        self.workspaceID = workspaceID
        self.sessionID = sessionID
        self.body = body
    }

    package var kind: EventKind { body.kind }

    /// The same record, of this workspace.
    package func inWorkspace(_ id: String) -> EventRecord {
        EventRecord(sequence: sequence, at: at, workspaceID: id, sessionID: sessionID, body: body)
    }

    /// The directory that the session was in; `""` if none is known, or the event concerns no session.
    package var cwd: String {
        switch body {
        case .agentNotHeld(let bystander): bystander.cwd
        case .denyIgnored(let deny): deny.cwd
        case .notification(let hook), .prompt(let hook), .sessionStart(let hook), .stop(let hook), .toolStart(let hook):
            hook.cwd
        case .permission(let request), .permissionResolved(let request, _, _): request.cwd
        case .sessionEnd(_, let cwd, _): cwd
        case .toolEnd(let run, _, _, _): run.cwd
        case .agentRefused, .devicePaired, .deviceRevoked, .pairingRequested: ""
        }
    }

    /// The approximate bytes of its content, without its small members.
    package var size: Int {
        switch body {
        case .notification(let hook), .prompt(let hook), .sessionStart(let hook), .stop(let hook), .toolStart(let hook):
            hook.size
        case .permission(let request): request.input.size
        case .permissionResolved(let request, let resolution, _):
            request.input.size + (resolution.update?.size ?? 0) + (resolution.message?.utf8.count ?? 0)
        case .toolEnd(let run, let response, _, _): run.input.size + response.size
        default: 0
        }
    }

    /// The approximate bytes of memory it takes, small members included, for limits on queues.
    package var footprint: Int {
        switch body {
        case .notification(let hook), .prompt(let hook), .sessionStart(let hook), .stop(let hook), .toolStart(let hook):
            hook.footprint
        default: size
        }
    }
}
