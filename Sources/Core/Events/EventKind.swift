/// The kinds of events: recorded ones (`EventBody`), spelled as the database has them, and live ones (`LiveEvent`). A
/// spelling never changes.
package enum EventKind: String, Sendable, Hashable, CaseIterable {
    case agentNotHeld = "agent_not_held"
    case agentRefused = "agent_refused"
    case denyIgnored = "deny_ignored"
    case devicePaired = "device_paired"
    case deviceRevoked = "device_revoked"
    case fileChanged = "file_changed"
    case gitBranchChanged = "git_branch_changed"
    case gitStatusChanged = "git_status_changed"
    case heartbeat
    case notification
    case pairingRequested = "pairing_requested"
    case permission
    case permissionResolved = "permission_resolved"
    case prompt
    case runCall = "run_call"
    case runChildEnd = "run_child_end"
    case runChildStart = "run_child_start"
    case runDelta = "run_delta"
    case runInfo = "run_info"
    case runLine = "run_line"
    case runPermission = "run_permission"
    case runPromptEnd = "run_prompt_end"
    case runQuestion = "run_question"
    case runStatus = "run_status"
    case runStopped = "run_stopped"
    case runTasks = "run_tasks"
    case runUsage = "run_usage"
    case sessionEnd = "session_end"
    case sessionJoined = "session_joined"
    case sessionLeft = "session_left"
    case sessionStart = "session_start"
    case sessionWatchChanged = "session_watch_changed"
    case stop
    case toolEnd = "tool_end"
    case toolStart = "tool_start"
    case workspaceAdded = "workspace_added"
    case workspaceRemoved = "workspace_removed"
    case transcriptMessage = "transcript_message"

    /// The kinds that are never recorded (`LiveEvent`).
    package static let live: Set<EventKind> = [
        .fileChanged, .gitBranchChanged, .gitStatusChanged, .heartbeat, .runCall, .runChildEnd, .runChildStart,
        .runDelta, .runInfo, .runLine, .runPermission, .runPromptEnd, .runQuestion, .runStatus, .runStopped, .runTasks,
        .runUsage,
        .sessionJoined, .sessionLeft, .sessionWatchChanged, .transcriptMessage, .workspaceAdded, .workspaceRemoved,
    ]

    /// The right that a subscriber needs for it.
    package var right: Right { .read }
}
