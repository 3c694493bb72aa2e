import Core
import Loop
import Platform
import Services

/// The kernel's clocks and the loop's timers.
struct SystemClock: TimeSource {
    let loop: EventLoop

    /// The machine's sleep counts, as it does for the loop's timers: two minutes for a pairing code, or for an answer, are
    /// two minutes of the person's. The relay's clock stands still meanwhile, so it never gives up before the daemon.
    func now() -> Instant {
        Instant(
            wall: Timestamp(milliseconds: SystemTime.wall), uptime: Uptime(milliseconds: SystemTime.sinceBoot))
    }

    func call(at time: Uptime, _ body: @escaping @Sendable () -> Void) -> any Cancellable {
        loop.schedule(after: .milliseconds(max(0, time.milliseconds - uptime.milliseconds)), body)
    }
}

extension LoopTimer: Cancellable {}

/// Calls again and again, each time as long after the last.
final class Repeater: Sendable {
    private let clock: any TimeSource
    private let seconds: Double
    private let body: @Sendable () -> Void
    private let next = Locked<(any Cancellable)?>(nil)
    private let isOver = Locked(false)

    init(every seconds: Double, of clock: any TimeSource, _ body: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.seconds = seconds
        self.body = body
        wait()
    }

    func cancel() {
        isOver.withLock { $0 = true }
        next.withLock { $0 }?.cancel()
    }

    private func wait() {
        let timer = clock.call(at: clock.uptime + seconds) { [weak self] in self?.fire() }
        next.withLock { $0 = timer }
    }

    private func fire() {
        guard !isOver.withLock({ $0 }) else { return }
        body()
        wait()
    }
}
