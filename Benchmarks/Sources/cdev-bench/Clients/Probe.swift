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
        let watch = ProbeThread(self)
        watch.start()
        let time: Nanoseconds
        do {
            time = try Clock.time(body)
        } catch {
            _ = try? watch.stop()
            throw error
        }
        let (calls, health) = try watch.stop()
        return (time, calls, health)
    }

    fileprivate mutating func run(while goesOn: () -> Bool) throws -> (calls: Samples, health: Samples) {
        var calls = Samples()
        var health = Samples()
        let request = HTTPText.health()
        while goesOn() {
            calls.add(nanoseconds: try call())
            health.add(nanoseconds: try Clock.time { _ = try client.exchange(request) })
            Clock.sleep(milliseconds: 1)
        }
        return (calls, health)
    }
}

/// Everything is handed over by starting and joining the thread, but for the flag, which has its lock.
private final class ProbeThread: @unchecked Sendable {
    private var probe: Probe
    private var result: Result<(calls: Samples, health: Samples), any Error> = .success((Samples(), Samples()))
    private var thread = pthread_t()
    private var mutex = pthread_mutex_t()
    private var isDone = false

    init(_ probe: Probe) {
        self.probe = probe
        pthread_mutex_init(&mutex, nil)
    }

    func start() {
        pthread_create(
            &thread, nil,
            { context in
                let me = Unmanaged<ProbeThread>.fromOpaque(context!).takeRetainedValue()
                me.result = Result { try me.probe.run { !me.locked { me.isDone } } }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    func stop() throws -> (calls: Samples, health: Samples) {
        locked { isDone = true }
        pthread_join(thread, nil)
        return try result.get()
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(&mutex)
        defer { pthread_mutex_unlock(&mutex) }
        return body()
    }
}
