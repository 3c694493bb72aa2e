/// Milliseconds since the machine started, including sleep. Setting the clock does not change it, so every duration is
/// measured by it. It has no meaning for people, and none after the next start of the machine.
package struct Uptime: TimePoint {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

/// One time on both clocks.
package struct Instant: Sendable, Hashable {
    /// For display and storage.
    package let wall: Timestamp
    /// For durations.
    package let uptime: Uptime

    package init(wall: Timestamp, uptime: Uptime) {
        self.wall = wall
        self.uptime = uptime
    }

    package static func + (time: Instant, seconds: Double) -> Instant {
        Instant(wall: time.wall + seconds, uptime: time.uptime + seconds)
    }
}
