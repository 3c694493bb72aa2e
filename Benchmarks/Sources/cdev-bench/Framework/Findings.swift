/// What one row found.
struct Findings {
    /// One line of the table: a median, and where there are enough samples the 99th percentile.
    struct Figure {
        let label: String
        let unit: Unit
        let median: Double
        let p99: Double?
        let count: Int
    }

    /// A figure or a ratio of two, and what it should be.
    struct Check {
        enum Limit {
            case atMost(Double)
            case atLeast(Double)
            /// No goal: told because it explains the others.
            case none
        }

        let label: String
        let unit: Unit
        let value: Double
        let limit: Limit

        /// Nil where there is no goal.
        var isMet: Bool? {
            switch limit {
            case .atMost(let limit): value <= limit
            case .atLeast(let limit): value >= limit
            case .none: nil
            }
        }
    }

    enum Unit: String {
        case nanoseconds = "ns"
        case microseconds = "µs"
        case milliseconds = "ms"
        case seconds = "s"
        case bytes = "B"
        case kilobytes = "KiB"
        case megabytes = "MiB"
        case perSecond = "/s"
        case count = ""
        case ratio = "×"
    }

    var figures: [Figure] = []
    var checks: [Check] = []
    /// What a reader must know to read the figures.
    var notes: [String] = []

    /// Adds a figure of samples in nanoseconds.
    mutating func add(_ label: String, _ samples: Samples, in unit: Unit = .microseconds) {
        let divisor: Double = unit == .milliseconds ? 1e6 : unit == .microseconds ? 1e3 : unit == .seconds ? 1e9 : 1
        figures.append(
            Figure(
                label: label, unit: unit, median: samples.median / divisor,
                p99: samples.count >= 100 ? samples.p99 / divisor : nil, count: samples.count))
    }

    mutating func add(_ label: String, _ value: Double, _ unit: Unit) {
        figures.append(Figure(label: label, unit: unit, median: value, p99: nil, count: 1))
    }

    mutating func check(_ label: String, _ value: Double, _ limit: Check.Limit, _ unit: Unit = .ratio) {
        checks.append(Check(label: label, unit: unit, value: value, limit: limit))
    }
}
