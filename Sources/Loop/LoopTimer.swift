import CEvents

/// A timer that fires once. Cancelling it after it fired does nothing.
package final class LoopTimer: @unchecked Sendable {  // guard: `source` is touched on the loop's thread only
    private let loop: EventLoop
    private let deadline: ContinuousClock.Instant
    private var body: (@Sendable () -> Void)?
    private var source: EventSource?

    /// The kernel's timers stand still while the machine sleeps, but a deadline does not, so the timer compares with
    /// the clock at least this often.
    private static let longestWait = Duration.seconds(15)

    init(loop: EventLoop, deadline: ContinuousClock.Instant, body: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.deadline = deadline
        self.body = body
    }

    /// May be called on any thread. After a call on the loop's thread the timer cannot fire any more.
    package func cancel() {
        loop.executeNow { self.end() }
    }

    func start() {
        guard body != nil else { return }
        let source = EventSource(loop: loop, number: -1, kinds: 0) { self.fire() }
        self.source = source
        loop.adopt(source)
        wait()
    }

    private func wait() {
        source?.arm(after: min(ContinuousClock.now.duration(to: deadline), Self.longestWait))
    }

    private func fire() {
        guard ContinuousClock.now >= deadline else { return wait() }
        let body = body
        end()
        body?()
    }

    private func end() {
        body = nil
        if let source { loop.drop(source) }
        source = nil
    }
}

extension EventLoop {
    /// Runs `body` on the loop's thread once `delay` has passed, sleep of the machine included. Call it on any thread.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> LoopTimer {
        schedule(at: .now + delay, body)
    }

    /// Runs `body` on the loop's thread at `deadline`; after a sleep of the machine up to 15 s late.
    @discardableResult
    package func schedule(at deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) -> LoopTimer {
        let timer = LoopTimer(loop: self, deadline: deadline, body: body)
        executeNow { timer.start() }
        return timer
    }
}
