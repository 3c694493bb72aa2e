import Glibc

extension Row {
    static let start = Row(
        name: "start",
        measures: "from exec to the first answer of /health, with an empty and a large database; resident memory",
        against: "nothing else",
        run: { try StartRow(bench: $0).run() })
}

private struct StartRow {
    let bench: Bench

    func run() throws -> Findings {
        var findings = Findings()
        let empty = try bench.makeDirectory("h")
        try bench.write(#"{"permission_timeout_seconds": 600}"#, to: empty + "/config.json")
        let large = try History(bench, rows: bench.isQuick ? 100_000 : 1_000_000).home
        let samples = try Interleaving.run(
            rounds: bench.rounds(40), [Variant("empty") { try start(empty) }, Variant("large") { try start(large) }])
        let rows = bench.isQuick ? "100 k" : "1 M"
        findings.add("first answer, empty database", samples[0], in: .milliseconds)
        findings.add("first answer, \(rows) rows", samples[1], in: .milliseconds)
        findings.check("first answer, empty database", samples[0].median / 1e6, .atMost(15), .milliseconds)
        findings.check("first answer, \(rows) rows", samples[1].median / 1e6, .atMost(15), .milliseconds)
        try memory(&findings, empty, "an empty database", limit: .atMost(16))
        try memory(&findings, large, "\(rows) rows", limit: .none)
        try afterEvents(&findings)
        return findings
    }

    private func start(_ home: String) throws -> Nanoseconds {
        let child = try DaemonProcess.launch(bench, home: home).start()
        defer { child.stop() }
        let end = child.started + 10_000_000_000
        while Clock.now() < end {
            if let socket = try? StreamSocket.unix(home + "/cdev.sock") {
                _ = try HTTPClient(socket).exchange(HTTPText.health())
                return Clock.now() - child.started
            }
            usleep(100)
        }
        throw BenchError("the daemon did not start in 10 s")
    }

    private func memory(
        _ findings: inout Findings, _ home: String, _ what: String, limit: Findings.Check.Limit
    ) throws {
        let daemon = try DaemonProcess(bench, home: home)
        _ = try daemon.client().exchange(HTTPText.health())
        Clock.sleep(milliseconds: 300)
        findings.check("resident when idle, \(what)", daemon.resident / 1_048_576, limit, .megabytes)
        daemon.stop()
    }

    /// Notifications are observed: each is one event, kept and broadcast.
    private func afterEvents(_ findings: inout Findings) throws {
        let count = bench.isQuick ? 100_000 : 1_000_000
        let daemon = try DaemonProcess(bench)
        let load = Load(connections: 16) { number in
            let body = HookInput.event(
                "Notification", session: "s\(number % 160)",
                [("message", "Claude needs your permission"), ("notification_type", "permission_prompt")])
            return HTTPText.post("/hooks/claude", body)
        }
        let run = try load.run(count, connect: { try .unix(daemon.socket) })
        findings.add("events taken", Double(count) / (Double(run.time) / 1e9), .perSecond)
        Clock.sleep(milliseconds: 1000)
        let label = "resident after \(count / 1000) k events"
        findings.check(label, daemon.resident / 1_048_576, .none, .megabytes)
        daemon.stop()
    }
}
