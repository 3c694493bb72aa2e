import Core
import Loop
import Platform
import Services

/// The kernel's clocks and the loop's timers.
struct SystemClock: TimeSource {
    let loop: EventLoop

    /// Time while the machine sleeps counts, as it does for the loop's timers: the two minutes of a pairing code or of
    /// a request are two minutes for the person. The relay's clock stops meanwhile, so the relay never gives up before
    /// the daemon.
    func now() -> Instant {
        Instant(
            wall: Timestamp(milliseconds: SystemTime.wall), uptime: Uptime(milliseconds: SystemTime.sinceBoot))
    }

    func call(at time: Uptime, _ body: @escaping @Sendable () -> Void) -> any Cancellable {
        loop.schedule(after: .milliseconds(max(0, time.milliseconds - uptime.milliseconds)), body)
    }
}

extension LoopTimer: Cancellable {}
