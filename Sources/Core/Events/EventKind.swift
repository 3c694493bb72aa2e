/// The kinds of events: those that are recorded (`EventBody`), spelled as the database keeps them, and those that only
/// live listeners hear (`LiveEvent`). A spelling never changes.
package enum EventKind: String, Sendable, Hashable, CaseIterable {
    case agentNotHeld = "agent_not_held"
    case agentRefused = "agent_refused"
    case denyIgnored = "deny_ignored"
    case devicePaired = "device_paired"
    case deviceRevoked = "device_revoked"
    case heartbeat
    case notification
    case pairingRequested = "pairing_requested"
    case permission
    case permissionResolved = "permission_resolved"
    case prompt
    case sessionEnd = "session_end"
    case sessionStart = "session_start"
    case stop
    case toolEnd = "tool_end"
    case toolStart = "tool_start"

    /// What a caller must be allowed to be told of it.
    package var right: Right { .read }
}
