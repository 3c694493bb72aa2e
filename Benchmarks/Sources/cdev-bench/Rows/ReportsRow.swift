import Glibc
import OrderedJSON

extension Row {
    static let reports = Row(
        name: "reports",
        measures:
            "a rule-settled call while 50 machines report 1,000 events a second, for a minute, into a database that holds as "
            + "much of 20 other machines as is kept; pages of it",
        against: "the same while idle, in turns of ten seconds",
        run: { try ReportsRow(bench: $0).run() })
}

private struct ReportsRow {
    let bench: Bench

    private static let perSecond = 1000
    private static let machines = 50

    func run() throws -> Findings {
        var findings = Findings()
        let history = try ReportHistory(bench, machines: 20, eventsOfEach: bench.isQuick ? 20_000 : 100_000)
        let daemon = try DaemonProcess(bench, home: history.home)
        try pages(&findings, daemon, history)
        try load(&findings, daemon, history)
        daemon.stop()
        return findings
    }

    private func load(_ findings: inout Findings, _ daemon: DaemonProcess, _ history: ReportHistory) throws {
        // Those with a full share are among them, so that what they send pushes out what they had.
        let others = try (0..<Self.machines - history.tokens.count).map { try daemon.device("other \($0)").token }
        let load = ReportLoad(daemon, tokens: history.tokens + others, perSecond: Self.perSecond)
        try daemon.allow(sessions: ["probe"], by: try daemon.approver())
        var probe = try Probe(daemon)
        var (idle, busy, time) = (Samples(), Samples(), Nanoseconds(0))
        let phase = bench.isQuick ? 2000 : 10_000
        let before = try versions(daemon)
        for _ in 0..<6 {
            idle.add(try probe.watch { Clock.sleep(milliseconds: phase) }.calls)
            try load.run {
                let part = try probe.watch { Clock.sleep(milliseconds: phase) }
                busy.add(part.calls)
                time += part.time
            }
        }
        let taken = Double(try versions(daemon) - before) / (Double(time) / 1e9)
        findings.add("idle: rule-settled call", idle)
        findings.add("meanwhile: rule-settled call", busy)
        findings.add("an event's answer, from when it was due", load.answers)
        findings.check("events taken a second", taken, .atLeast(0.99 * Double(Self.perSecond)), .perSecond)
        findings.check("p99 of a call above idle", (busy.p99 - idle.p99) / 1e6, .atMost(2), .milliseconds)
    }

    private func versions(_ daemon: DaemonProcess) throws -> Int {
        try JSON(parsing: try daemon.client().exchange(Self.get("/ping")))["data_version"]?.intValue ?? 0
    }

    private func pages(_ findings: inout Findings, _ daemon: DaemonProcess, _ history: ReportHistory) throws {
        let client = try daemon.client()
        let any = { "session-\(Int.random(in: 1...history.sessions))" }
        let paths: [(String, () -> String)] = [
            ("/sessions", { "/sessions" }),
            ("/sessions, any page", { "/sessions?offset=\(Int.random(in: 0..<history.sessions))" }),
            (
                "/sessions?exclude_ended, any page",
                { "/sessions?exclude_ended=true&offset=\(Int.random(in: 0..<history.sessions / 2))" }
            ), ("/devices", { "/devices" }),
            ("/devices/ID/sessions", { "/devices/machine-\(Int.random(in: 0..<20))/sessions" }),
            ("/sessions/ID/events", { "/sessions/\(any())/events" }), ("/notifications", { "/notifications" }),
            ("/notifications, behind any", { "/notifications?after=notice-\(Int.random(in: 1...history.sessions))" }),
        ]
        let samples = try Interleaving.run(
            rounds: bench.rounds(500),
            paths.map { name, path in
                let request = path
                return Variant(name) {
                    let bytes = Self.get(request())
                    return try Clock.time { _ = try client.exchange(bytes) }
                }
            })
        for ((name, _), one) in zip(paths, samples) { findings.add(name, one, in: .milliseconds) }
        let slowest = samples.map(\.p99).max() ?? 0
        findings.check("the slowest list's p99", slowest / 1e6, .atMost(10), .milliseconds)
    }

    private static func get(_ path: String) -> [UInt8] {
        Array("GET /api/v1\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    }
}
