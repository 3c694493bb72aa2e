package import Core

/// Lets callers wait for the next event.
package protocol PollService: Sendable {
    /// Returns once an event numbered `sequence` or above was published, after `seconds`, when the caller's task is
    /// cancelled, when its device is revoked, or when the daemon stops. While an approver waits, and for a few seconds
    /// after, requests are held for it.
    func waitForEvent(from sequence: Int64, seconds: Int, by caller: Caller, isApprover: Bool) async -> PollOutcome
}

/// The end of a wait for an event.
package enum PollOutcome: Sendable, Hashable {
    case event, nothing
    /// The caller's device was revoked.
    case revoked
}
