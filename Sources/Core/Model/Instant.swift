/// Milliseconds since the machine was started, the time it slept included. No setting of the clock moves it, so every
/// duration is measured by it. It means nothing to people, and nothing after the next start of the machine.
package struct Uptime: TimePoint {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

/// The time of an input, on both clocks.
package struct Instant: Sendable, Hashable {
    /// To be shown and stored.
    package let wall: Timestamp
    /// To measure by.
    package let uptime: Uptime

    package init(wall: Timestamp, uptime: Uptime) {
        self.wall = wall
        self.uptime = uptime
    }

    package static func + (time: Instant, seconds: Double) -> Instant {
        Instant(wall: time.wall + seconds, uptime: time.uptime + seconds)
    }
}
