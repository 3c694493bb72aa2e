import Glibc
import OrderedJSON

extension Row {
    static let fanout = Row(
        name: "fanout",
        measures:
            "one event of 1 KB to 1,000 WebSocket clients, ten of which do not read: until the last of 990 has it",
        against: "nothing else",
        run: { try FanoutRow($0).run() })
}

private struct FanoutRow {
    let bench: Bench
    let daemon: DaemonProcess
    let hooks: HTTPClient
    /// The server's ceiling of what waits for one client, and what the kernel holds for a Unix socket.
    private static let ceiling = 8 * 1024 * 1024

    init(_ bench: Bench) throws {
        self.bench = bench
        daemon = try DaemonProcess(bench)
        hooks = try daemon.client()
    }

    func run() throws -> Findings {
        let token = try daemon.token()
        let silent = try (0..<10).map { _ in try EventReader(.unix(daemon.socket), bearer: nil) }
        let filled = try fill()
        let readers = try (0..<990).map { _ in
            try EventReader(.loopback(daemon.port), bearer: token, host: "127.0.0.1:\(daemon.port)")
        }
        let poller = Poller()
        for (number, reader) in readers.enumerated() { poller.add(reader.socket, number: number) }
        let samples = try broadcast(to: readers, poller)
        var findings = Findings()
        findings.add("hook sent → last byte at the last client", samples, in: .milliseconds)
        findings.check("hook sent → last byte at the last client", samples.median / 1e6, .atMost(50), .milliseconds)
        let open = silent.count { !$0.isClosed }
        findings.notes.append(
            "\(open) of 10 that do not read are still connected, \(filled / 1024) KiB waiting for each")
        daemon.stop()
        return findings
    }

    /// Events, until one more would go over the ceiling of those who do not read.
    private func fill() throws -> Int {
        let watcher = try EventReader(.unix(daemon.socket), bearer: nil)
        var sent = 0
        while true {
            let size = try event(bytes: 64 * 1024) { try watcher.next() }
            sent += size
            guard sent + size + 64 * 1024 < Self.ceiling else { return sent }
        }
    }

    private func broadcast(to readers: [EventReader], _ poller: Poller) throws -> Samples {
        var samples = Samples()
        for _ in 0..<bench.rounds(30) {
            let start = Clock.now()
            try event(bytes: 1024) {
                var missing = readers.count
                while missing > 0 {
                    for number in try poller.wait() where try readers[number].read() > 0 { missing -= 1 }
                }
                samples.add(nanoseconds: Clock.now() - start)
                return 0
            }
        }
        return samples
    }

    @discardableResult
    private func event(bytes: Int, _ arrived: () throws -> Int) throws -> Int {
        let text = String(repeating: "e", count: bytes - 300)
        let body = HookInput.event(
            "Notification", session: "fan", [("message", .string(text)), ("notification_type", "permission_prompt")])
        try hooks.socket.send(HTTPText.post("/hooks/claude", body))
        let result = try arrived()
        _ = try hooks.response()
        return result
    }
}
