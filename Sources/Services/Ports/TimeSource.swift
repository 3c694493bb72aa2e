package import Core

/// The machine's clocks and a way to be called at a time; tests bring their own.
package protocol TimeSource: Sendable {
    func now() -> Instant
    /// Calls `body` once, on the loop, at `time` or soon after.
    func call(at time: Uptime, _ body: @escaping @Sendable () -> Void) -> any Cancellable
}

extension TimeSource {
    package var uptime: Uptime { now().uptime }
}

package protocol Cancellable: Sendable {
    func cancel()
}
