/// What was measured, of one kind.
struct Samples {
    private(set) var values: [Double] = []

    var count: Int { values.count }
    var median: Double { quantile(0.5) }
    var p99: Double { quantile(0.99) }

    mutating func add(_ value: Double) {
        values.append(value)
    }

    mutating func add(nanoseconds: Nanoseconds) {
        values.append(Double(nanoseconds))
    }

    mutating func add(_ other: Samples) {
        values += other.values
    }

    /// The value below which the share lies; 0 where there is none.
    func quantile(_ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}
