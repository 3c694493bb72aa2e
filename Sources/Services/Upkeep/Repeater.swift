import Core
import Platform

/// Calls a function at intervals; the next interval begins when the call returns.
package final class Repeater: Sendable {
    private let clock: any TimeSource
    private let seconds: Double
    private let body: @Sendable () -> Void
    private let next = Locked<(any Cancellable)?>(nil)
    private let isOver = Locked(false)

    package init(every seconds: Double, of clock: any TimeSource, _ body: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.seconds = seconds
        self.body = body
    }

    /// The first call comes after `seconds`.
    package func start() { wait() }

    package func cancel() {
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
