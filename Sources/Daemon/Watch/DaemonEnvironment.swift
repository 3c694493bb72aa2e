import Core
import Dialects
import Host
import Platform
import Services

/// Clock, timers, events and processes for the broker.
final class DaemonEnvironment: BrokerEnvironment {
    private let clock: any TimeSource
    private let processes: ProcessTable
    private let hub: EventHub
    private let waits = DiskWaits()
    private let timer = Locked<(any Cancellable)?>(nil)

    init(clock: any TimeSource, processes: ProcessTable, hub: EventHub) {
        self.clock = clock
        self.processes = processes
        self.hub = hub
    }

    /// Cancels the timer.
    func stop() { timer.withLock { $0 }?.cancel() }

    func now() -> Instant { clock.now() }

    /// An id: 80 random bits, of which a person types the first letters, then the time, so that the database stores
    /// requests of one time together.
    func makeID(_ prefix: String) -> String {
        prefix + RandomText.base32(bits: 80) + RandomText.base32(now().wall.milliseconds, letters: 10)
    }

    func wake(at time: Uptime, _ body: @escaping @Sendable () async -> Void) {
        let next = clock.call(at: time) { Task { await body() } }
        let earlier = timer.withLock { timer in
            defer { timer = next }
            return timer
        }
        earlier?.cancel()
    }

    func publish(_ event: EventRecord) { hub.publish(event) }

    func beside<Value: Sendable>(root: String, _ body: @escaping @Sendable () -> Value) async -> Value? {
        await waits.run(root: root, clock: clock, body)
    }

    func startTime(ofProcess pid: Int32) -> UInt64? { processes.startTime(of: pid) }
}
