import Core
import Platform

/// Questions to disks that may not answer, each on a thread of its own and with an end to the wait.
package final class DiskWaits: Sendable {
    /// Seconds after which a person is asked in place of the disk: a hook that is answered later is felt.
    static let patience = 0.3
    /// Questions that one session's root may have waiting, so that a disk that hangs leaves threads to the others.
    static let mostOfRoot = 8

    /// Threads that wait for eight such disks; what comes then is not asked.
    private let lane = WorkLane(threads: 64, mostWeight: 64, givesWay: false)
    private let waiting = Locked<[String: Int]>([:])

    package init() {}

    /// What `body` returns; nil once patience ends, and at once where as much waits as may.
    package func run<Value: Sendable>(
        root: String, clock: any TimeSource, _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        guard begin(root) else { return nil }
        return await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let answer = FirstAnswer<Value?>(continuation)
            let timer = clock.call(at: clock.uptime + Self.patience) { answer.give(nil) }
            let isTaken = lane.start(weight: 1) {
                let value = body()
                timer.cancel()
                self.end(root)
                answer.give(value)
            }
            guard !isTaken else { return }
            timer.cancel()
            end(root)
            answer.give(nil)
        }
    }

    private func begin(_ root: String) -> Bool {
        waiting.withLock { waiting in
            guard waiting[root, default: 0] < Self.mostOfRoot else { return false }
            waiting[root, default: 0] += 1
            return true
        }
    }

    /// Counted until the disk has answered, however late.
    private func end(_ root: String) {
        waiting.withLock { waiting in
            let left = (waiting[root] ?? 1) - 1
            waiting[root] = left > 0 ? left : nil
        }
    }
}
