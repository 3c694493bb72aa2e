package import Core

extension EventKind {
    /// The part of the method's name after `event/`.
    package var wireName: String {
        switch self {
        case .agentNotHeld: "agent_not_held"
        case .agentRefused: "agent_refused"
        case .denyIgnored: "deny_ignored"
        case .devicePaired: "device_paired"
        case .deviceRevoked: "device_revoked"
        case .heartbeat: "heartbeat"
        case .notification: "claude_hook_permission"
        case .pairingRequested: "pairing_requested"
        case .permission: "pty_permission"
        case .permissionResolved: "pty_permission_resolved"
        case .prompt: "claude_hook_prompt"
        case .sessionEnd: "claude_hook_session_end"
        case .sessionStart: "claude_hook_session"
        case .stop: "claude_hook_stop"
        case .toolEnd: "claude_hook_tool_end"
        case .toolStart: "claude_hook_tool_start"
        }
    }

    /// Every name an event can have, sorted.
    package static let wireNames = allCases.map(\.wireName).sorted()
}
