import Transport

/// One piece of work at a time for each key, in the order they came; so many wait, and the others are sent away.
package final class Turns: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    package let mostWaiting: Int
    /// A key is there while its work is done.
    private let lines = Locked<[String: [Waiter]]>([:])

    package init(mostWaiting: Int) {
        self.mostWaiting = mostWaiting
    }

    /// Returns when it is this caller's turn, which lasts until `end`; false, at once, where too many wait.
    package func begin(_ key: String) async -> Bool {
        switch arrive(key) {
        case .first: return true
        case .full: return false
        case .later: break
        }
        await withCheckedContinuation { waiter in
            let isNext = lines.withLock { lines -> Bool in
                // Everybody before may have gone since.
                guard lines[key] != nil else {
                    lines[key] = []
                    return true
                }
                lines[key]?.append(waiter)
                return false
            }
            if isNext { waiter.resume() }
        }
        return true
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
        next?.resume()
    }

    /// Those who wait behind this key's work.
    package func waiting(_ key: String) -> Int { lines.withLock { $0[key]?.count ?? 0 } }

    private enum Place { case first, full, later }

    private func arrive(_ key: String) -> Place {
        lines.withLock { lines in
            guard let line = lines[key] else {
                lines[key] = []
                return .first
            }
            return line.count < mostWaiting ? .later : .full
        }
    }
}
