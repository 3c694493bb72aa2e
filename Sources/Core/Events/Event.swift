package import OrderedJSON

/// Something that happened, as approvers and the replay see it. Dialects give it its wire form.
package struct Event: Sendable, Hashable {
    /// Rises by at least one with each event, also over restarts; gaps are allowed.
    package let sequence: Int64
    package let at: Timestamp
    package let sessionID: String
    package let body: EventBody

    package init(sequence: Int64, at: Timestamp, sessionID: String, body: EventBody) {
        self.sequence = sequence
        self.at = at
        self.sessionID = sessionID
        self.body = body
    }
}

extension Event {
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
}

package enum EventBody: Sendable, Hashable {
    /// A local process inside an agent tried to decide (`method`, of `pid`).
    case agentRefused(method: String, pid: Int32)
    /// An agent runs our hooks that we neither hold nor answer.
    case agentNotHeld(Bystander)
    /// A call ran though its hook had been told to deny it.
    case denyIgnored(IgnoredDeny)
    case devicePaired(id: String, name: String, rights: Set<Right>)
    /// `rules`: those it had granted, out of force with it.
    case deviceRevoked(id: String, name: String, reason: String, rules: [SessionRule])
    case notification(AgentEvent)
    /// A device typed its code and waits for a confirmation at this machine.
    case pairingRequested(PairingRequest)
    case permission(PermissionRequest)
    /// `corrects`: an earlier event of this opening said otherwise.
    case permissionResolved(PermissionRequest, Resolution, corrects: Bool)
    case prompt(AgentEvent)
    case sessionEnd(sessionID: String, cwd: String, reason: String)
    case sessionStart(AgentEvent)
    case stop(AgentEvent)
    case toolEnd(ToolRun, response: KeptJSON, isError: Bool, durationMilliseconds: Int64?)
    case toolStart(AgentEvent)
}
