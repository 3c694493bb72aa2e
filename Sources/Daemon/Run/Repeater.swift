import Core
import Platform
import Services

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
    }

    /// Begins to count: the first call comes after `seconds`.
    func start() { wait() }

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
