extension Int64 {
    /// Adds a number that came from outside: what is too large counts as the largest, where `+=` would end the process.
    package mutating func addClamped(_ other: Int64) {
        let (sum, isOver) = addingReportingOverflow(other)
        self = isOver ? (other > 0 ? .max : .min) : sum
    }
}
