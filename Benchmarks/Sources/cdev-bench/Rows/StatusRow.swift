extension Row {
    static let status = Row(
        name: "status",
        measures: "`git/status` of a repository of 100,000 files",
        against: "`git status --porcelain=v2 -z`",
        run: { try StatusRow(bench: $0).run() })
}

private struct StatusRow {
    let bench: Bench

    func run() throws -> Findings {
        var findings = Findings()
        let repository = try LargeRepository(bench, files: bench.isQuick ? 10_000 : 100_000)
        let observed = try Observed(bench, home: try bench.makeDirectory("h"))
        let workspace = try observed.addWorkspace(repository.path)
        let samples = try Interleaving.run(
            rounds: bench.rounds(50),
            [
                Variant("cdev") { try Clock.time { _ = try observed.status(workspace) } },
                Variant("git") { try repository.status() },
            ])
        findings.add("cdev", samples[0], in: .milliseconds)
        findings.add("git status", samples[1], in: .milliseconds)
        findings.check(
            "cdev − git status", (samples[0].median - samples[1].median) / 1e6, .atMost(10), .milliseconds)
        observed.daemon.stop()
        return findings
    }
}
