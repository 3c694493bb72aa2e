import Glibc
import OrderedJSON

extension Row {
    static let sessions = Row(
        name: "sessions",
        measures:
            "sessions that the daemon runs: a piece of text → a WebSocket client that reads along, alone and 50,000 in 10 s "
            + "for 20 clients; taking over eight processes after a kill; their start; memory",
        against: "the agent's own output through a pipe, by `read`; an idle daemon; Claude Code alone",
        run: { try SessionsRow($0).run() })
}

private struct SessionsRow {
    let bench: Bench
    let sessions: RunSessions

    init(_ bench: Bench) throws {
        self.bench = bench
        sessions = try RunSessions(bench)
    }

    func run() throws -> Findings {
        var findings = Findings()
        try memory(&findings)
        try pieces(&findings)
        try burst(&findings)
        try takeOver(&findings)
        sessions.daemon.stop()
        try start(&findings)
        return findings
    }

    private func pieces(_ findings: inout Findings) throws {
        let session = try sessions.start()
        let (watcher, reader) = try sessions.watcher(session)
        let pipe = try PipedAgent(bench)
        let samples = try Interleaving.run(
            rounds: bench.rounds(500),
            [
                Variant("client") {
                    try sessions.prompt("piece", session)
                    return try reader.next()[0]
                },
                Variant("pipe") { try pipe.piece() },
            ])
        findings.add("a piece at a client", samples[0])
        findings.add("a piece by `read`", samples[1])
        findings.check("median above `read`", (samples[0].median - samples[1].median) / 1e6, .atMost(1), .milliseconds)
        findings.check("p99 above `read`", (samples[0].p99 - samples[1].p99) / 1e6, .atMost(5), .milliseconds)
        withExtendedLifetime(watcher) {}
        try sessions.stop(session)
    }

    private func burst(_ findings: inout Findings) throws {
        let (count, milliseconds) = bench.isQuick ? (10_000, 2000) : (50_000, 10_000)
        let session = try sessions.start()
        try sessions.daemon.allow(sessions: ["probe"], by: try sessions.daemon.approver())
        var probe = try Probe(sessions.daemon)
        let idle = try probe.sample(rounds: bench.rounds(1000))
        let watchers = try (0..<20).map { _ in try sessions.watcher(session) }
        let latest = Latest(readers: watchers.count)
        let threads = watchers.enumerated().map { number, watcher in
            Background { try latest.read(watcher.1, number, upTo: count) }
        }
        let busy = try probe.watch {
            try sessions.prompt("burst \(count) \(milliseconds)", session)
            latest.wait(for: count)
        }
        for thread in threads { try thread.stop() }
        findings.add("the latest piece of \(count), 20 clients", latest.nanoseconds / 1e6, .milliseconds)
        findings.add("idle: rule-settled call", idle.call)
        findings.add("meanwhile: rule-settled call", busy.calls)
        findings.check("the latest piece", latest.nanoseconds / 1e6, .atMost(50), .milliseconds)
        findings.check("p99 of a call above idle", (busy.calls.p99 - idle.call.p99) / 1e6, .atMost(2), .milliseconds)
        try sessions.stop(session)
    }

    private func takeOver(_ findings: inout Findings) throws {
        let running = try (0..<8).map { _ in try sessions.start() }
        for session in running { try sessions.prompt("tick", session) }
        var samples = Samples()
        for _ in 0..<bench.rounds(10) {
            let time = try sessions.replaceDaemon { _ in
                for session in running {
                    let (watcher, reader) = try sessions.watcher(session)
                    _ = try reader.next()
                    withExtendedLifetime(watcher) {}
                }
            }
            samples.add(nanoseconds: time)
        }
        findings.add("start → pieces of 8 sessions", samples, in: .milliseconds)
        findings.check("taking over 8 processes", samples.median / 1e6, .atMost(200), .milliseconds)
        for session in running { try sessions.stop(session) }
    }

    /// With the real Claude Code, which answers a second after its start.
    private func start(_ findings: inout Findings) throws {
        guard let claude = bench.claude else {
            return findings.notes.append("without the start of Claude Code, which was not found")
        }
        let real = try RunSessions(bench, agent: claude)
        let alone = try LoneClaude(bench, claude)
        let samples = try Interleaving.run(
            rounds: bench.rounds(25),
            [
                Variant("session/start") {
                    var session = ""
                    let time = try Clock.time { session = try real.start() }
                    try real.stop(session)
                    return time
                },
                Variant("alone") { try alone.start() },
            ])
        findings.add("session/start → ready for a prompt", samples[0], in: .milliseconds)
        findings.add("Claude Code alone", samples[1], in: .milliseconds)
        findings.check(
            "session/start above it", (samples[0].median - samples[1].median) / 1e6, .atMost(50), .milliseconds)
        real.daemon.stop()
    }

    private func memory(_ findings: inout Findings) throws {
        // What is only made once is not counted.
        let first = try sessions.start()
        try sessions.killAgents([first])
        let before = sessions.daemon.resident
        let running = try (0..<bench.rounds(50)).map { _ in try sessions.start() }
        let each = (sessions.daemon.resident - before) / Double(running.count)
        try sessions.killAgents(running)
        let parked = (sessions.daemon.resident - before) / Double(running.count)
        findings.check("memory for a running session", each / 1024, .atMost(256), .kilobytes)
        findings.check("memory left for a parked one", parked / 1024, .atMost(2), .kilobytes)
        for session in running + [first] { try sessions.stop(session) }
    }
}

/// Claude Code as the daemon starts it, without the daemon.
private struct LoneClaude {
    private let launch: Launch

    init(_ bench: Bench, _ program: String) throws {
        let home = try bench.makeDirectory("c")
        let words =
            "-p --input-format stream-json --output-format stream-json --verbose --permission-prompt-tool stdio "
            + "--permission-mode default --replay-user-messages --include-partial-messages --setting-sources user"
        launch = Launch(
            program, words.split(separator: " ").map(String.init),
            environment: Launch.plainEnvironment.merging(["HOME": home, "CLAUDE_CONFIG_DIR": home]) { $1 })
    }

    /// From its start to the answer to the first request.
    func start() throws -> Nanoseconds {
        let child = try launch.start(pipes: true)
        child.send(
            Array(#"{"type":"control_request","request_id":"a","request":{"subtype":"initialize"}}"#.utf8) + [0x0A])
        guard child.readLine().contains("control_response") else { throw BenchError("Claude Code did not answer") }
        let time = Clock.now() - child.started
        child.stop()
        return time
    }
}

/// How late the latest piece was at any of several readers, each on a thread of its own and with a place of its own.
private final class Latest: @unchecked Sendable {
    private let lates: UnsafeMutableBufferPointer<Nanoseconds>
    private let counts: UnsafeMutableBufferPointer<Int>

    init(readers: Int) {
        lates = .allocate(capacity: readers)
        lates.initialize(repeating: 0)
        counts = .allocate(capacity: readers)
        counts.initialize(repeating: 0)
    }

    deinit {
        lates.deallocate()
        counts.deallocate()
    }

    /// To be read once the threads have ended.
    var nanoseconds: Double { Double(lates.max() ?? 0) }

    /// One round of a thread, until every piece has come.
    func read(_ reader: PieceReader, _ number: Int, upTo count: Int) throws {
        guard counts[number] < count else { return Clock.sleep(milliseconds: 1) }
        let pieces = try reader.next()
        lates[number] = max(lates[number], pieces.max() ?? 0)
        counts[number] += pieces.count
    }

    /// Waits until all readers have every piece.
    func wait(for count: Int) {
        while counts.contains(where: { $0 < count }) { Clock.sleep(milliseconds: 1) }
    }
}
