import Glibc

extension Row {
    static let beside = Row(
        name: "beside",
        measures:
            "a rule-settled call while pages, searches and `git/status` are asked for in loops and a transcript grows",
        against: "the same while the daemon is idle",
        run: { try BesideRow(bench: $0).run() })
}

private struct BesideRow {
    let bench: Bench
    private let session = TranscriptFiles.session(1)

    func run() throws -> Findings {
        var findings = Findings()
        let home = try bench.makeDirectory("h")
        let files = try TranscriptFiles(home: home)
        try files.write(session: session, bytes: (bench.isQuick ? 20 : 200) << 20)
        let repository = try LargeRepository(bench, files: bench.isQuick ? 10_000 : 100_000)
        let observed = try Observed(bench, home: home)
        try observed.daemon.allow(sessions: ["probe"], by: try observed.daemon.approver())
        try observed.waitForIndex(of: 1)
        var probe = try Probe(observed.daemon)
        let idle = try probe.sample(rounds: bench.rounds(1000))
        let loops = try loops(observed.daemon, home, files, repository)
        let busy = try probe.sample(rounds: bench.rounds(1000))
        for loop in loops { try loop.stop() }
        findings.add("idle: rule-settled call", idle.call)
        findings.add("idle: /health", idle.health)
        findings.add("beside the loops: rule-settled call", busy.call)
        findings.add("beside the loops: /health", busy.health)
        findings.check("p99 of a call above idle", (busy.call.p99 - idle.call.p99) / 1e6, .atMost(2), .milliseconds)
        observed.daemon.stop()
        return findings
    }

    /// Each loop asks on a connection of its own.
    private func loops(
        _ daemon: DaemonProcess, _ home: String, _ files: TranscriptFiles, _ repository: LargeRepository
    ) throws -> [Background] {
        let (pages, searches, status) = try (Observed(daemon), Observed(daemon), Observed(daemon))
        let workspace = try status.addWorkspace(repository.path)
        let total = try pages.total(session)
        let file = open(files.path(session), O_WRONLY | O_APPEND | O_CLOEXEC)
        guard file >= 0 else { throw BenchError.system("appending") }
        return [
            Background { [session] in try pages.page(session, offset: Int.random(in: 0..<total)) },
            Background { _ = try searches.search(TranscriptFiles.common) },
            Background { _ = try status.status(workspace) },
            Background { [session] in
                let line = files.line(of: session)
                guard write(file, line, line.count) == line.count else { throw BenchError.system("appending") }
                Clock.sleep(milliseconds: 10)
            },
        ]
    }
}
