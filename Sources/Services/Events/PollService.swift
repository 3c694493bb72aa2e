package import Core

/// Callers that ask for events and wait for the next one.
package protocol PollService: Sendable {
    /// Returns once an event numbered `sequence` or above was published, after `seconds`, when the caller's task is
    /// cancelled, when its device is revoked, or when the daemon stops. While an approver waits, and for a moment after,
    /// questions are held for it.
    func waitForEvent(from sequence: Int64, seconds: Int, by caller: Caller, isApprover: Bool) async -> PollOutcome
}

/// How the wait for an event ended.
package enum PollOutcome: Sendable, Hashable {
    case event, nothing
    /// The caller may hear nothing more.
    case revoked
}
