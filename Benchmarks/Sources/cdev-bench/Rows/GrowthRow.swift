extension Row {
    static let growth = Row(
        name: "growth",
        measures: "a hook's process and the daemon's memory with much history, and with many sessions",
        against: "the smallest of each",
        run: { try GrowthRow(bench: $0).run() })
}

private struct GrowthRow {
    let bench: Bench

    private struct Size {
        let label: String
        let daemon: DaemonProcess
        let sessions: Int
    }

    func run() throws -> Findings {
        var findings = Findings()
        let rows = bench.isQuick ? [1_000, 10_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000]
        try compare(
            rows.map { try Size(label: "\($0 / 1000) k rows", daemon: daemon(rows: $0, sessions: 1), sessions: 1) },
            &findings)
        try compare(
            [1, 10, 100, 1000].map {
                try Size(label: "\($0) sessions", daemon: daemon(rows: 1_000, sessions: $0), sessions: $0)
            }, &findings)
        return findings
    }

    private func daemon(rows: Int, sessions: Int) throws -> DaemonProcess {
        let daemon = try DaemonProcess(bench, home: try History(bench, rows: rows).home)
        try daemon.allow(sessions: (0..<sessions).map { "now-\($0)" }, by: try daemon.approver())
        return daemon
    }

    private func compare(_ sizes: [Size], _ findings: inout Findings) throws {
        var number = 0
        let samples = try Interleaving.run(
            rounds: bench.rounds(300),
            sizes.map { size in
                let relay = Launch(bench.programs.relay, ["--socket", size.daemon.socket])
                return Variant(size.label) {
                    number += 1
                    let input = HookInput.bash(session: "now-\(number % size.sessions)", id: "call-\(number)")
                    let run = try relay.run(input: input)
                    guard run.output.contains("\"allow\"") else { throw BenchError("\(size.label): not allowed") }
                    return run.time
                }
            })
        for (size, samples) in zip(sizes, samples) { findings.add("hook, \(size.label)", samples) }
        let memory = sizes.map(\.daemon.resident)
        for (size, memory) in zip(sizes, memory) {
            findings.add("resident, \(size.label)", memory / 1_048_576, .megabytes)
        }
        let last = sizes.last!.label
        let medians = samples.map(\.median)
        findings.check("hook: \(last) / \(sizes[0].label)", medians.last! / medians[0], .atMost(1.2))
        // A session in use is kept in memory whole: only history must cost nothing.
        let limit = sizes[0].sessions == sizes.last!.sessions ? Findings.Check.Limit.atMost(1.2) : .none
        findings.check("memory: \(last) / \(sizes[0].label)", memory.last! / memory[0], limit)
        for size in sizes { size.daemon.stop() }
    }
}
