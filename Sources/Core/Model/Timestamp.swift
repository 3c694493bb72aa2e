/// A point in time: milliseconds since 1970-01-01T00:00:00Z, as the machine's clock is set. It is what people are shown
/// and what is stored; what has to last or to end is measured by `Uptime`. The core never asks a clock.
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

    /// Ends at a few hundred thousand years, for the seconds may be a client's.
    package static func + (time: Self, seconds: Double) -> Self {
        let milliseconds = max(-longest, min(longest, seconds * 1000))
        return Self(milliseconds: time.milliseconds + Int64(milliseconds + (seconds < 0 ? -0.5 : 0.5)))
    }

    /// Seconds from `other` to here; negative where `other` is later.
    package func seconds(since other: Self) -> Double {
        (Double(milliseconds) - Double(other.milliseconds)) / 1000
    }
}

private let longest: Double = 9e15
