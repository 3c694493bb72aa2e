import Glibc
import OrderedJSON

extension Row {
    static let hold = Row(
        name: "hold",
        measures: "10,000 held calls: memory for each, their release, and what others feel of it",
        against: "/health over the same connection",
        run: { try HoldRow(bench: $0).run() })
}

private struct HoldRow {
    let bench: Bench
    /// Calls a session may have held at once.
    private static let perSession = 63

    func run() throws -> Findings {
        var findings = Findings()
        try holdConnections(&findings)
        try holdProcesses(&findings)
        return findings
    }

    private var connections: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // Each side has its own limit, and needs a few for itself.
        return min(bench.isQuick ? 2_000 : 10_000, Int(limit.rlim_cur) - 1_000)
    }

    // MARK: Connections

    private func holdConnections(_ findings: inout Findings) throws {
        let count = connections
        let daemon = try DaemonProcess(bench)
        let crowd = try Crowd(daemon)
        let before = daemon.resident
        try crowd.hold(count, perSession: Self.perSession)
        Clock.sleep(milliseconds: 300)
        findings.check(
            "memory per held call, \(count) connections", (daemon.resident - before) / Double(count) / 1024,
            .atMost(12), .kilobytes)
        var probe = try Probe(daemon)
        let held = try probe.sample(rounds: bench.rounds(1000))
        findings.add("probe while held: rule-settled call", held.call)
        findings.add("probe while held: /health", held.health)
        findings.check("probe p99 while held", held.call.p99 / 1e6, .atMost(5), .milliseconds)
        let (time, during, _) = try probe.watch { try crowd.release() }
        findings.check("all \(count) released", Double(time) / 1e9, .atMost(1), .seconds)
        findings.add("probe during the release: rule-settled call", during)
        findings.check("probe p99 during the release", during.p99 / 1e6, .atMost(25), .milliseconds)
        if count < 10_000, !bench.isQuick {
            findings.notes.append("only \(count) connections: the file limit allows no more")
        }
        daemon.stop()
    }

    // MARK: Processes

    private func holdProcesses(_ findings: inout Findings) throws {
        let count = bench.isQuick ? 300 : 2_000
        let daemon = try DaemonProcess(bench)
        let crowd = try Crowd(daemon)
        let before = daemon.resident
        let directory = try bench.makeDirectory("i")
        var children: [Child] = []
        for number in 0..<count {
            let path = "\(directory)/\(number)"
            let session = "process-\(number / Self.perSession)"
            try bench.write(HookInput.bash("touch file-\(number)", session: session, id: "call-\(number)"), to: path)
            let command = "exec '\(bench.programs.relay)' --socket '\(daemon.socket)' < '\(path)'"
            children.append(try Launch("/bin/sh", ["-c", command]).start())
            if number % 100 == 99 { try crowd.takeCards(100) }
        }
        try crowd.takeCards(count % 100)
        let each = (daemon.resident - before) / Double(count) / 1024
        findings.check("memory per held call, \(count) relays", each, .none, .kilobytes)
        let relay = children.reduce(0) { $0 + ProcessFacts.resident($1.pid) } / Double(count) / 1_048_576
        findings.check("resident memory of a relay, shared pages too", relay, .none, .megabytes)
        let time = try Clock.time {
            try crowd.release()
            for child in children { child.wait() }
        }
        findings.check("all \(count) relays ended", Double(time) / 1e9, .none, .seconds)
        daemon.stop()
    }
}
