/// A point in time: milliseconds since 1970-01-01T00:00:00Z. The core never asks a clock; every input carries its time.
package struct Timestamp: Sendable, Hashable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Ends at a few hundred thousand years, for the seconds may be a client's.
    package static func + (time: Timestamp, seconds: Double) -> Timestamp {
        let milliseconds = max(-longest, min(longest, seconds * 1000))
        return Timestamp(milliseconds: time.milliseconds + Int64(milliseconds + (seconds < 0 ? -0.5 : 0.5)))
    }

    private static let longest: Double = 9e15

    /// Seconds from `other` to here; negative where `other` is later.
    package func seconds(since other: Timestamp) -> Double {
        (Double(milliseconds) - Double(other.milliseconds)) / 1000
    }
}
