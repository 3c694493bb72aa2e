package import Core

/// Checks the rights of callers that are connected already.
package protocol AccessService: Sendable {
    /// True if the caller is still admitted: a device can be revoked while it is connected.
    func admits(_ caller: Caller) async -> Bool
    /// Reports a call for which the caller lacks the right: it is logged, and announced if the caller is a process
    /// inside an agent.
    func refused(_ caller: Caller, method: String) async
}
