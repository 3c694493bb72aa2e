import Glibc

extension Row {
    static let index = Row(
        name: "index",
        measures: "taking in a gigabyte of transcripts, what others feel meanwhile, and searching them",
        against: "`jq -c .uuid` and `cat` over the same files, an idle daemon, `rg`",
        run: { try IndexRow(bench: $0).run() })
}

private struct IndexRow {
    let bench: Bench

    private var count: Int { bench.isQuick ? 20 : 200 }

    func run() throws -> Findings {
        var findings = Findings()
        let home = try bench.makeDirectory("h")
        let files = try TranscriptFiles(home: home)
        for number in 1...count { try files.write(session: TranscriptFiles.session(number), bytes: 5 << 20) }
        // Once before all are measured, so that all find the files in memory.
        _ = try tool("cat \"$1\"/*.jsonl >/dev/null", files)
        let observed = try Observed(bench, home: home)
        let seconds = try takeIn(observed, &findings)
        try compare(seconds, files, &findings)
        try search(observed, files, &findings)
        observed.daemon.stop()
        return findings
    }

    private func takeIn(_ observed: Observed, _ findings: inout Findings) throws -> Double {
        try observed.daemon.allow(sessions: ["probe"], by: try observed.daemon.approver())
        var probe = try Probe(observed.daemon)
        let (_, calls, health) = try probe.watch { try observed.waitForIndex(of: count) }
        let seconds = Double(Clock.now() - observed.daemon.child.started) / 1e9
        let processor = ProcessFacts.processorTime(observed.daemon.pid).values.reduce(0, +)
        var idle = try Probe(observed.daemon)
        let after = try idle.sample(rounds: bench.rounds(1000))
        findings.add("cdev, processor time", processor / 1e9, .seconds)
        findings.add("rule-settled call, meanwhile", calls)
        findings.add("rule-settled call, idle", after.call)
        findings.add("/health, meanwhile", health)
        findings.add("/health, idle", after.health)
        let unit = Double(count) / 200
        findings.check("cdev, all taken in after its start", seconds, .atMost(20 * unit), .seconds)
        findings.check("p99 of /health above idle", (health.p99 - after.health.p99) / 1e6, .atMost(2), .milliseconds)
        return seconds
    }

    private func compare(_ seconds: Double, _ files: TranscriptFiles, _ findings: inout Findings) throws {
        let cat = try tool("cat \"$1\"/*.jsonl >/dev/null", files)
        findings.add("cat", cat, .seconds)
        guard Programs.find("jq") != nil else {
            findings.notes.append("without what needs jq, which is not installed")
            return
        }
        let jq = try tool("jq -c .uuid \"$1\"/*.jsonl >/dev/null", files)
        findings.add("jq -c .uuid", jq, .seconds)
        findings.check("jq / cdev", jq / seconds, .atLeast(5))
    }

    private func search(_ observed: Observed, _ files: TranscriptFiles, _ findings: inout Findings) throws {
        let words = ["a rare word": TranscriptFiles.rare, "a common word": TranscriptFiles.common]
        let hasTool = Programs.find("rg") != nil
        if !hasTool { findings.notes.append("without what needs rg, which is not installed") }
        for (label, word) in words.sorted(by: { $0.key < $1.key }) {
            guard try observed.search(word) > 0 else { throw BenchError("\(word) was not found") }
            var samples = Samples()
            for _ in 0..<bench.rounds(100) {
                samples.add(nanoseconds: try Clock.time { _ = try observed.search(word) })
            }
            findings.add("search for \(label)", samples, in: .milliseconds)
            findings.check("search for \(label)", samples.median / 1e6, .atMost(100), .milliseconds)
            guard hasTool else { continue }
            let rg = try tool("rg -lw \(word) \"$1\"", files)
            findings.add("rg for \(label)", rg * 1e3, .milliseconds)
            findings.check("search / rg, \(label)", samples.median / 1e9 / rg, .atMost(1))
        }
    }

    /// Seconds that a line of the shell takes, with the transcripts' directory as `$1`.
    private func tool(_ line: String, _ files: TranscriptFiles) throws -> Double {
        let run = try Launch("/bin/sh", ["-c", line, "sh", files.directory]).run()
        guard run.status == 0 else { throw BenchError("\(line) failed") }
        return Double(run.time) / 1e9
    }
}
