package import Core
import Glibc
import Transport

/// The time of day and a way to be called at one; tests bring their own.
package protocol WallClock: Sendable {
    func now() -> Timestamp
    /// Calls `body` once, on the loop, at `time` or soon after.
    func call(at time: Timestamp, _ body: @escaping @Sendable () -> Void) -> any Cancellable
}

package protocol Cancellable: Sendable {
    func cancel()
}

/// The machine's clock and the loop's timers.
struct SystemClock: WallClock {
    let loop: EventLoop

    func now() -> Timestamp { Self.now }

    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    func call(at time: Timestamp, _ body: @escaping @Sendable () -> Void) -> any Cancellable {
        let delay = max(0, time.milliseconds - now().milliseconds)
        return loop.schedule(after: .milliseconds(delay), body)
    }
}

extension LoopTimer: Cancellable {}

/// Calls again and again, each time as long after the last.
final class Repeater: Sendable {
    private let clock: any WallClock
    private let seconds: Double
    private let body: @Sendable () -> Void
    private let next = Locked<(any Cancellable)?>(nil)
    private let isOver = Locked(false)

    init(every seconds: Double, of clock: any WallClock, _ body: @escaping @Sendable () -> Void) {
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
        let timer = clock.call(at: clock.now() + seconds) { [weak self] in self?.fire() }
        next.withLock { $0 = timer }
    }

    private func fire() {
        guard !isOver.withLock({ $0 }) else { return }
        body()
        wait()
    }
}
