import Core
import Dialects
import Host
import Loop
import Platform
import Services

/// The world around the broker.
final class DaemonEnvironment: BrokerEnvironment {
    private let clock: any TimeSource
    private let processes: ProcessTable
    private let notifier: Notifier
    private let press: EventPress
    private let waits = DiskWaits()
    private let events: EventLog
    private let timer = Locked<(any Cancellable)?>(nil)

    init(
        loop: EventLoop, clock: any TimeSource, processes: ProcessTable, persistence: any Persistence,
        subscribers: Subscribers<WebSocketClient>, polls: EventPolls, notifier: Notifier, log: any Log
    ) {
        press = EventPress(loop: loop) { event, encoded in
            let text = String(decoding: encoded, as: UTF8.self)
            persistence.append([.event(sequence: event.sequence, at: event.at, text: text)])
            subscribers.send(encoded)
            polls.published(event.sequence)
        }
        self.clock = clock
        self.processes = processes
        self.notifier = notifier
        events = EventLog(log: log)
    }

    /// Nobody is woken any more.
    func stop() { timer.withLock { $0 }?.cancel() }

    func now() -> Instant { clock.now() }

    /// 80 random bits, which are what a person types the first letters of, and the time, by which the database can lay
    /// what comes together side by side.
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

    func publish(_ event: Event) {
        press.publish(event)
        notifier.note(event, at: now())
        events.note(event)
    }

    func beside<Value: Sendable>(root: String, _ body: @escaping @Sendable () -> Value) async -> Value? {
        await waits.run(root: root, clock: clock, body)
    }

    /// Returns once every event is with the store and the clients.
    func drain() async { await press.drain() }

    func startTime(ofProcess pid: Int32) -> UInt64? { processes.startTime(of: pid) }
}
