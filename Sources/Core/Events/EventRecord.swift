import OrderedJSON

/// Something that happened, numbered and kept for whoever asks for it later. It is no client's form: dialects encode what
/// their clients listen to.
package struct EventRecord: Sendable, Hashable {
    /// Rises by at least one with each record, also over restarts; gaps are allowed.
    package let sequence: Int64
    package let at: Timestamp
    /// `""` where it concerns no workspace.
    package let workspaceID: String
    /// `""` where it concerns no session.
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

    /// About how many bytes it holds beside its small fields.
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

    /// About how many bytes it keeps in memory, small fields too, for ceilings on what waits.
    package var footprint: Int {
        switch body {
        case .notification(let hook), .prompt(let hook), .sessionStart(let hook), .stop(let hook), .toolStart(let hook):
            hook.footprint
        default: size
        }
    }
}
