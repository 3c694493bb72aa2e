import CSQLite
import Glibc

extension Row {
    static let throughput = Row(
        name: "throughput",
        measures: "calls settled by a rule and recorded, per second, until the last is in the database",
        against: "/health of the same server over the same connections; nginx `return 200` with one worker",
        run: { try ThroughputRow($0).run() })
}

private struct ThroughputRow {
    let bench: Bench
    let daemon: DaemonProcess
    let token: String
    private let count: Int
    private static let connections = 16

    init(_ bench: Bench) throws {
        self.bench = bench
        daemon = try DaemonProcess(bench)
        token = try daemon.token()
        count = bench.rounds(40_000)
        let sessions = (0..<Self.connections).map { "load-\($0)" }
        try daemon.allow(sessions: sessions, by: try daemon.approver())
    }

    private enum Endpoint: String, CaseIterable {
        case unix = "Unix socket"
        case tcp = "HTTP with a bearer"
    }

    func run() throws -> Findings {
        var findings = Findings()
        for endpoint in Endpoint.allCases { try measure(endpoint, &findings) }
        try compareWithNginx(&findings)
        daemon.stop()
        return findings
    }

    private func measure(_ endpoint: Endpoint, _ findings: inout Findings) throws {
        var calls = Samples()
        var health = Samples()
        var costs: [(daemon: Double, store: Double, generator: Double)] = []
        for round in 0..<bench.rounds(5) {
            health.add(try healthRate(endpoint))
            let before = ProcessFacts.processorTime(daemon.pid)
            let recorded = try recorded()
            let load = load(endpoint, round)
            let run = try load.run(
                count, connect: { try connect(endpoint) }, settled: { try waitFor(recorded + count) })
            calls.add(Double(count) / (Double(run.time) / 1e9))
            costs.append(cost(before, run))
        }
        findings.add("calls, \(endpoint.rawValue)", calls.median, .perSecond)
        findings.add("/health, \(endpoint.rawValue)", health.median, .perSecond)
        func median(_ part: KeyPath<(daemon: Double, store: Double, generator: Double), Double>) -> Double {
            costs.map { $0[keyPath: part] }.sorted()[costs.count / 2]
        }
        findings.add("  processor per call: daemon without its store", median(\.daemon), .microseconds)
        findings.add("  processor per call: the store's thread", median(\.store), .microseconds)
        findings.add("  processor per call: generator", median(\.generator), .microseconds)
        findings.check("calls / health, \(endpoint.rawValue)", calls.median / health.median, .atLeast(0.25))
    }

    /// Microseconds per call. The store's thread is the one that is neither the loop nor the main one, which sleeps.
    private func cost(
        _ before: [pid_t: Double], _ run: Load.Run
    ) -> (daemon: Double, store: Double, generator: Double) {
        let spent = ProcessFacts.processorTime(daemon.pid).mapValues { $0 }.map { thread, time in
            (thread, (time - (before[thread] ?? 0)) / 1e3 / Double(count))
        }
        let store = spent.filter { ProcessFacts.threadName(daemon.pid, $0.0).hasPrefix("cdev-store") }
        let stored = store.reduce(0) { $0 + $1.1 }
        let all = spent.reduce(0) { $0 + $1.1 }
        return (all - stored, stored, run.processor / 1e3 / Double(count))
    }

    private func load(_ endpoint: Endpoint, _ round: Int) -> Load {
        let bearer = endpoint == .tcp ? token : nil
        let host = host(endpoint)
        var load = Load(connections: Self.connections) { number in
            let id = "\(endpoint)-\(round)-\(number)"
            let body = HookInput.bash(session: "load-\(number % Self.connections)", id: id)
            return HTTPText.post("/hooks/claude", body, host: host, bearer: bearer)
        }
        load.wanted = "\"allow\""
        return load
    }

    private func healthRate(_ endpoint: Endpoint) throws -> Double {
        let request = HTTPText.health(host: host(endpoint))
        let load = Load(connections: Self.connections) { _ in request }
        let run = try load.run(count * 2, connect: { try connect(endpoint) })
        return Double(count * 2) / (Double(run.time) / 1e9)
    }

    private func host(_ endpoint: Endpoint) -> String {
        endpoint == .unix ? "localhost" : "127.0.0.1:\(daemon.port)"
    }

    private func connect(_ endpoint: Endpoint) throws -> StreamSocket {
        endpoint == .unix ? try .unix(daemon.socket) : try .loopback(daemon.port)
    }

    private func waitFor(_ count: Int) throws {
        try Clock.wait(seconds: 30, for: "the store to have everything") { try recorded() >= count }
    }

    /// Requests in the database. By the last one's number: counting them would be a read of all, a thousand times a second,
    /// beside the writing that is measured.
    private func recorded() throws -> Int {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(daemon.home + "/cdev.db", &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
            throw BenchError("the database cannot be read")
        }
        defer { sqlite3_close(handle) }
        sqlite3_busy_timeout(handle, 1000)
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, "SELECT coalesce(max(number), 0) FROM requests", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? Int(sqlite3_column_int64(statement, 0)) : 0
    }

    // MARK: nginx

    private func compareWithNginx(_ findings: inout Findings) throws {
        guard let wrk = Programs.find("wrk"), let program = Programs.find("nginx") else {
            findings.notes.append("no comparison with nginx: wrk or nginx is not installed (Debian: wrk, nginx-light)")
            return
        }
        let nginx = try Nginx(bench, program)
        let samples = try Interleaving.rates(
            rounds: bench.rounds(7),
            [
                { try Wrk.rate(wrk, "http://127.0.0.1:\(daemon.port)/health") },
                { try Wrk.rate(wrk, "http://127.0.0.1:\(nginx.port)/") },
            ])
        nginx.child.stop()
        findings.add("/health, wrk", samples[0].median, .perSecond)
        findings.add("nginx, wrk", samples[1].median, .perSecond)
        findings.check("/health / nginx", samples[0].median / samples[1].median, .atLeast(0.4))
    }
}
