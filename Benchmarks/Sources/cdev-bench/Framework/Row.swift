/// One question of the benchmark.
struct Row: Sendable {
    let name: String
    /// What is measured.
    let measures: String
    /// What it is compared with.
    let against: String
    let run: @Sendable (Bench) throws -> Findings

    static let all = [card, claude, decide, fanout, growth, hold, hook, match, start, throughput, worst]
}
