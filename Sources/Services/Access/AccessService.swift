package import Core

/// Rights of callers that are already connected.
package protocol AccessService: Sendable {
    /// Whether the caller may still do what it came in with: a device can be revoked while it is connected.
    func admits(_ caller: Caller) async -> Bool
    /// A caller asked for what it may not do: to be logged, and shown if it is a process inside an agent.
    func refused(_ caller: Caller, method: String) async
}
