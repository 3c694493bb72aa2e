package import OrderedJSON

/// The content of a record. A new case needs a body in the database (`EventBodyWriter`) and a form in each dialect.
package enum EventBody: Sendable, Hashable {
    /// A local process inside an agent tried to decide: the method that process `pid` called.
    case agentRefused(method: String, pid: Int32)
    /// An agent runs our hooks that we neither hold nor answer.
    case agentNotHeld(Bystander)
    /// A call ran though its hook had been told to deny it.
    case denyIgnored(IgnoredDeny)
    case devicePaired(id: String, name: String, rights: Set<Right>)
    /// `rules`: the rules that the device had granted, which ended with it.
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

    package var kind: EventKind {
        switch self {
        case .agentNotHeld: .agentNotHeld
        case .agentRefused: .agentRefused
        case .denyIgnored: .denyIgnored
        case .devicePaired: .devicePaired
        case .deviceRevoked: .deviceRevoked
        case .notification: .notification
        case .pairingRequested: .pairingRequested
        case .permission: .permission
        case .permissionResolved: .permissionResolved
        case .prompt: .prompt
        case .sessionEnd: .sessionEnd
        case .sessionStart: .sessionStart
        case .stop: .stop
        case .toolEnd: .toolEnd
        case .toolStart: .toolStart
        }
    }
}
