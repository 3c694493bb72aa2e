import CSQLite
package import Core

/// The options of a store; tests replace the limits, the clock and the pauses.
package struct StoreOptions: Sendable {
    package var limits = QueueLimits()
    /// The longest wait of a statement for another process's lock. Well below the two seconds after which a relay takes
    /// the daemon for dead.
    package var busyTimeoutMilliseconds: Int32 = 1000
    /// The wall clock.
    package var now: @Sendable () -> Timestamp = { Timestamp(milliseconds: csqlite_now()) }
    /// The id of the machine's present boot; empty if it is not known.
    package var boot = ""
    /// Sleeps between an append and its writing, and between two attempts.
    package var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    package var migrations = Migration.all
    package var reportLimits = ReportLimits()
    /// Called while the state is locked, when `failure` or `notice` of the status changes: it must not ask for the status
    /// itself, nor wait.
    package var statusChanged: @Sendable () -> Void = {}

    package init() {}

    /// Appended changes are written within 50 ms; the writing takes some of that.
    static let flushDelay = Duration.milliseconds(40)
    /// The longest pause between two attempts to write to a database that fails.
    static let longestRetryDelay = Duration.seconds(5)
}
