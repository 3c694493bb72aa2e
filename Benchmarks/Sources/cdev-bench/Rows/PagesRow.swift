import Glibc

extension Row {
    static let pages = Row(
        name: "pages",
        measures: "any page of 50 messages of a transcript of 500 MB, once it has been taken in",
        against: "`tail`, `head` and `jq` on the file",
        run: { try PagesRow(bench: $0).run() })
}

private struct PagesRow {
    let bench: Bench

    func run() throws -> Findings {
        var findings = Findings()
        let home = try bench.makeDirectory("h")
        let files = try TranscriptFiles(home: home)
        let session = TranscriptFiles.session(1)
        try files.write(session: session, bytes: (bench.isQuick ? 50 : 500) << 20)
        let observed = try Observed(bench, home: home)
        try observed.waitForIndex(of: 1)
        let total = try observed.total(session)
        var random = SystemRandomNumberGenerator()
        func offset() -> Int { Int.random(in: 0..<total - 50, using: &random) }
        for _ in 0..<20 { try observed.page(session, offset: offset()) }
        let before = observed.daemon.resident
        var pages = Samples()
        for _ in 0..<bench.rounds(1000) {
            let offset = offset()
            pages.add(nanoseconds: try Clock.time { try observed.page(session, offset: offset) })
        }
        let grown = (observed.daemon.resident - before) / 1_048_576
        findings.add("cdev, a page of \(total) messages", pages, in: .milliseconds)
        try tools(files.path(session), offset, pages, &findings)
        findings.check("cdev, p99", pages.p99 / 1e6, .atMost(20), .milliseconds)
        findings.check("memory after \(pages.count) pages", grown, .atMost(8), .megabytes)
        observed.daemon.stop()
        return findings
    }

    private func tools(
        _ path: String, _ offset: () -> Int, _ pages: Samples, _ findings: inout Findings
    ) throws {
        guard Programs.find("jq") != nil else {
            findings.notes.append("without what needs jq, which is not installed")
            return
        }
        var samples = Samples()
        for _ in 0..<bench.rounds(20) {
            let script = "tail -n +\(offset() + 1) \"$1\" | head -n 50 | jq -c ."
            let run = try Launch("/bin/sh", ["-c", script, "sh", path]).run()
            guard !run.output.isEmpty else { throw BenchError("jq read no page") }
            samples.add(nanoseconds: run.time)
        }
        findings.add("tail, head, jq", samples, in: .milliseconds)
        findings.check("cdev / tail, head, jq", pages.median / samples.median, .none)
    }
}
