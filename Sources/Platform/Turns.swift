/// Runs one piece of work at a time for each key, in order of arrival. At most `mostWaiting` wait for a key; more are
/// refused.
package final class Turns: Sendable {
    private typealias Waiter = CheckedContinuation<Bool, Never>

    package let mostWaiting: Int
    /// The waiters of each key whose work is running.
    private let lines = Locked<[String: [Waiter]]>([:])

    package init(mostWaiting: Int) {
        self.mostWaiting = mostWaiting
    }

    /// Returns true when it is this caller's turn, which lasts until `end`; false at once where too many wait.
    package func begin(_ key: String) async -> Bool {
        await withCheckedContinuation { waiter in
            let answer = lines.withLock { lines -> Bool? in
                guard let line = lines[key] else {
                    lines[key] = []
                    return true
                }
                guard line.count < mostWaiting else { return false }
                lines[key]?.append(waiter)
                return nil
            }
            if let answer { waiter.resume(returning: answer) }
        }
    }

    package func end(_ key: String) {
        let next = lines.withLock { lines -> Waiter? in
            guard let line = lines[key], let next = line.first else {
                lines[key] = nil
                return nil
            }
            lines[key] = Array(line.dropFirst())
            return next
        }
        next?.resume(returning: true)
    }

    /// True if work for this key is running.
    package func isBusy(_ key: String) -> Bool { lines.withLock { !$0.isEmpty && $0[key] != nil } }

    /// The number of callers that wait for this key.
    package func waiting(_ key: String) -> Int { lines.withLock { $0[key]?.count ?? 0 } }
}
