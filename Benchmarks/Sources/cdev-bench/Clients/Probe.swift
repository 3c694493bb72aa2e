import Glibc

/// Calls that a rule settles, one after the other on one connection: what others feel while the daemon is busy.
struct Probe {
    private let client: HTTPClient
    private var number = 0

    init(_ daemon: DaemonProcess) throws {
        client = try daemon.client()
    }

    private mutating func call() throws -> Nanoseconds {
        number += 1
        let body = HookInput.bash(session: "probe", id: "probe-\(number)")
        let request = HTTPText.post("/hooks/claude", body)
        return try Clock.time {
            guard try client.exchange(request).contains("\"allow\"") else {
                throw BenchError("the probe was not allowed")
            }
        }
    }

    mutating func sample(rounds: Int) throws -> (call: Samples, health: Samples) {
        var calls = Samples()
        var health = Samples()
        let request = HTTPText.health()
        for _ in 0..<rounds {
            calls.add(nanoseconds: try call())
            health.add(nanoseconds: try Clock.time { _ = try client.exchange(request) })
        }
        return (calls, health)
    }

    /// Goes on on a thread of its own until the body has ended.
    mutating func watch(_ body: () throws -> Void) throws -> (time: Nanoseconds, calls: Samples, health: Samples) {
        var probe = self
        var (calls, health) = (Samples(), Samples())
        let loop = Background {
            let found = try probe.sample(rounds: 1)
            calls.add(found.call)
            health.add(found.health)
            Clock.sleep(milliseconds: 1)
        }
        let time: Nanoseconds
        do {
            time = try Clock.time(body)
        } catch {
            try? loop.stop()
            throw error
        }
        // The thread has ended, so what it wrote is whole.
        try loop.stop()
        self = probe
        return (time, calls, health)
    }
}
