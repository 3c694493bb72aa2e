package import Core

/// Checks the rights of callers that are connected already.
package protocol AccessService: Sendable {
    /// True if the caller is still admitted: a device can be revoked while it is connected.
    func admits(_ caller: Caller) async -> Bool
    /// The permit under which a call of this caller is performed; `nil` for a caller that cannot be revoked.
    func permit(of caller: Caller) -> CallPermit?
    /// Reports a call for which the caller lacks the right: it is logged, and announced if the caller is a process
    /// inside an agent.
    func refused(_ caller: Caller, method: String) async
}
