/// The kinds of events: recorded ones (`EventBody`), spelled as the database has them, and live ones (`LiveEvent`). A
/// spelling never changes.
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

    /// The right that a subscriber needs for it.
    package var right: Right { .read }
}
