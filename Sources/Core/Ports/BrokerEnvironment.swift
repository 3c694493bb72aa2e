/// What the broker needs of the world around it.
package protocol BrokerEnvironment: Sendable {
    func now() -> Instant
    /// A new id: the prefix, 80 random bits and the time, e.g. `r_6k3…`.
    func makeID(_ prefix: String) -> String
    /// Calls `body` at `time` or soon after; a later call replaces an earlier one.
    func wake(at time: Uptime, _ body: @escaping @Sendable () async -> Void)
    /// Gives the event to everybody who listens, and to the replay. Never waits.
    func publish(_ event: EventRecord)
    /// What `body` returns, which may ask a disk that does not answer: on another thread, and `nil` past 300 ms or, at once,
    /// where too much is asked already.
    /// - Parameter root: of the session. One whose disk hangs does not take what others need.
    func beside<Value: Sendable>(root: String, _ body: @escaping @Sendable () -> Value) async -> Value?
    /// When the process with this pid started, in the kernel's own unit; `nil` where there is none.
    func startTime(ofProcess pid: Int32) -> UInt64?
}
