/// The clock, timers, events and processes that the broker needs.
package protocol BrokerEnvironment: Sendable {
    func now() -> Instant
    /// A new id: the prefix, 80 random bits and the time, e.g. `r_6k3…`.
    func makeID(_ prefix: String) -> String
    /// Calls `body` at `time` or soon after; a later call replaces an earlier one.
    func wake(at time: Uptime, _ body: @escaping @Sendable () async -> Void)
    /// Passes the event to all subscribers and to the replay. Never waits.
    func publish(_ event: EventRecord)
    /// Runs `body`, which may access a disk that hangs, on another thread. `nil` after 300 ms, and at once if too many
    /// accesses wait already.
    /// - Parameter root: The session's root. A limit for each root keeps a hanging disk from taking all threads.
    func beside<Value: Sendable>(root: String, _ body: @escaping @Sendable () -> Value) async -> Value?
    /// The end of a session's transcript; `nil` where it cannot be read in 300 ms.
    func end(of transcript: TranscriptQuery) async -> TranscriptEnd?
    /// The start time of a process, in the kernel's unit; `nil` if there is none with this pid.
    func startTime(ofProcess pid: Int32) -> UInt64?
}
