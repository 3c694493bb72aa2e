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
