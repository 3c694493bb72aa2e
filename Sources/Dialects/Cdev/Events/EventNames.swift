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
        case .fileChanged: "file_changed"
        case .gitBranchChanged: "git_branch_changed"
        case .gitStatusChanged: "git_status_changed"
        case .heartbeat: "heartbeat"
        case .notification: "claude_hook_permission"
        case .pairingRequested: "pairing_requested"
        case .permission: "pty_permission"
        case .permissionResolved: "pty_permission_resolved"
        case .prompt: "claude_hook_prompt"
        case .runCall: "claude_tool_begin"
        case .runChildEnd: "session_end"
        case .runChildStart: "session_start"
        case .runDelta: "claude_delta"
        case .runInfo: "claude_session_info"
        case .runLine: "claude_log"
        case .runPermission: "claude_permission"
        case .runPromptEnd: "claude_prompt_end"
        case .runQuestion: "claude_waiting"
        case .runStatus: "claude_status"
        case .runStopped: "session_stopped"
        case .runTasks: "claude_task"
        case .runUsage: "claude_usage"
        case .sessionEnd: "claude_hook_session_end"
        case .sessionJoined: "session_joined"
        case .sessionLeft: "session_left"
        case .sessionStart: "claude_hook_session"
        case .sessionWatchChanged: "session_watch_changed"
        case .stop: "claude_hook_stop"
        case .toolEnd: "claude_hook_tool_end"
        case .toolStart: "claude_hook_tool_start"
        case .workspaceAdded: "workspace_added"
        case .workspaceRemoved: "workspace_removed"
        case .transcriptMessage: "claude_message"
        }
    }

    /// Every name an event can have, sorted.
    package static let wireNames = allCases.map(\.wireName).sorted()
}
