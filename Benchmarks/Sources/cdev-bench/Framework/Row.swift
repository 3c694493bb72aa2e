/// One question of the benchmark.
struct Row: Sendable {
    let name: String
    /// What is measured.
    let measures: String
    /// What it is compared with.
    let against: String
    let run: @Sendable (Bench) throws -> Findings

    static let all = [
        beside, card, claude, decide, editors, fanout, follow, growth, hold, hook, index, match, pages, reports,
        sessions, start, status, throughput, worst,
    ]
}
