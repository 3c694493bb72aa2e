package import Core

/// A time by two clocks: deadlines are compared by the wall clock, durations by a monotonic clock.
package struct Moment: Sendable {
    package let wall: Timestamp
    /// Milliseconds of the monotonic clock.
    package let uptime: Int64

    package init(wall: Timestamp, uptime: Int64) {
        self.wall = wall
        self.uptime = uptime
    }
}
