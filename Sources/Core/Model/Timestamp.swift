/// A point in time: milliseconds since 1970-01-01T00:00:00Z by the machine's clock. It is displayed and stored;
/// durations and deadlines are measured by `Uptime`. Core never reads a clock.
package struct Timestamp: TimePoint {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

/// Milliseconds on some clock.
package protocol TimePoint: Sendable, Hashable, Comparable {
    var milliseconds: Int64 { get }
    init(milliseconds: Int64)
}

extension TimePoint {
    package static func < (left: Self, right: Self) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Limited to a few hundred thousand years, because the seconds may come from a client.
    package static func + (time: Self, seconds: Double) -> Self {
        let milliseconds = max(-longest, min(longest, seconds * 1000))
        return Self(milliseconds: time.milliseconds + Int64(milliseconds + (seconds < 0 ? -0.5 : 0.5)))
    }

    /// Seconds from `other` to this time; negative if `other` is later.
    package func seconds(since other: Self) -> Double {
        (Double(milliseconds) - Double(other.milliseconds)) / 1000
    }
}

private let longest: Double = 9e15
