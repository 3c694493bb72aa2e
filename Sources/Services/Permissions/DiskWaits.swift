import Core
import Platform

/// Runs disk accesses that may hang, each on a thread of its own and with a limit on the wait.
package final class DiskWaits: Sendable {
    /// Seconds of the wait.
    private let patience: Double
    /// Seconds after which an access gives way to the loop and to shorter ones: most take less than a tenth of that.
    private static let shortAccess = 0.004
    /// The most accesses that may wait for one session's root, so that a disk that hangs leaves threads to other
    /// sessions.
    static let mostOfRoot = 8

    /// 64 threads, enough for eight disks that hang; further accesses are not started.
    private let lane: WorkLane
    private let waiting = Locked<[String: Int]>([:])

    /// - Parameters:
    ///   - patience: Seconds of the wait. By default those after which a person is asked instead: a person would notice a
    ///     hook that takes longer.
    ///   - givesWay: True if the loop gets a busy processor first.
    package init(patience: Double = 0.3, givesWay: Bool = false) {
        self.patience = patience
        lane = WorkLane(threads: 64, mostWeight: 64, givesWay: givesWay)
    }

    /// The value that `body` returns; nil once the wait is over, and at once if too many accesses wait.
    package func run<Value: Sendable>(
        root: String, clock: any TimeSource, _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        guard begin(root) else { return nil }
        return await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let answer = FirstAnswer<Value?>(continuation)
            let work = LongWork()
            let timers = [
                clock.call(at: clock.uptime + Self.shortAccess) { work.giveWay() },
                clock.call(at: clock.uptime + patience) { answer.give(nil) },
            ]
            let end = { @Sendable (value: Value?) in
                for timer in timers { timer.cancel() }
                self.end(root)
                answer.give(value)
            }
            // Each access has a thread to itself, so the one that gave way takes no other.
            if !lane.start(weight: 1, { end(work.run(body)) }) { end(nil) }
        }
    }

    private func begin(_ root: String) -> Bool {
        waiting.withLock { waiting in
            guard waiting[root, default: 0] < Self.mostOfRoot else { return false }
            waiting[root, default: 0] += 1
            return true
        }
    }

    /// An access counts until the disk has answered, even after the wait has ended.
    private func end(_ root: String) {
        waiting.withLock { waiting in
            let left = (waiting[root] ?? 1) - 1
            waiting[root] = left > 0 ? left : nil
        }
    }
}
