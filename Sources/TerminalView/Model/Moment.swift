package import Core

/// When something happened, by two clocks: deadlines are told by the day's, waiting is measured by one that nobody sets.
package struct Moment: Sendable {
    package let wall: Timestamp
    /// Milliseconds of a clock that only rises.
    package let uptime: Int64

    package init(wall: Timestamp, uptime: Int64) {
        self.wall = wall
        self.uptime = uptime
    }
}
