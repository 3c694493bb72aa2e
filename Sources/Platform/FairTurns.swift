/// Lets a few pieces of work run at a time: of each key, such as a caller, and of all. Further ones wait, and keys have
/// their turns one after the other, so that nobody waits behind all that somebody else sent; what is too much is refused
/// at once.
package final class FairTurns: Sendable {
    fileprivate typealias Waiter = CheckedContinuation<Bool, Never>

    fileprivate struct Line {
        /// Turns that are not over.
        var held = 0
        var waiting: [Waiter] = []
    }

    fileprivate struct State {
        var lines: [String: Line] = [:]
        /// The keys with waiters, the next one first.
        var keys: [String] = []
        var working = 0
    }

    /// One piece of work. It is over when nobody has this object any more.
    package final class Turn: Sendable {
        private let turns: FairTurns
        private let key: String
        private let isWorking = Locked(true)

        fileprivate init(_ turns: FairTurns, _ key: String) {
            self.turns = turns
            self.key = key
        }

        deinit {
            turns.end(key, isWorking: isWorking.withLock { $0 })
        }

        /// The work is done: others may begin theirs. As long as its result is kept, the turn counts for its key.
        package func endWork() {
            let was = isWorking.withLock { isWorking in
                defer { isWorking = false }
                return isWorking
            }
            if was { turns.change { $0.working -= 1 } }
        }
    }

    private let most: Int
    private let mostOfKey: Int
    private let mostWaiting: Int
    private let state = Locked(State())

    /// - Parameters:
    ///   - most: Pieces of work of all keys.
    ///   - mostOfKey: Turns of one key that are not over.
    ///   - mostWaiting: Callers of one key that wait.
    package init(most: Int, mostOfKey: Int, mostWaiting: Int) {
        self.most = most
        self.mostOfKey = mostOfKey
        self.mostWaiting = mostWaiting
    }

    /// The most turns of a key, with those that are waited for.
    package var mostAtOnce: Int { mostOfKey + mostWaiting }

    /// Returns when it is this caller's turn; `nil` at once where too many wait.
    package func begin(_ key: String) async -> Turn? {
        let isAdmitted = await withCheckedContinuation { (waiter: Waiter) in
            let answer = state.withLock { $0.admit(key, waiter, most, mostOfKey, mostWaiting) }
            if let answer { waiter.resume(returning: answer) }
        }
        return isAdmitted ? Turn(self, key) : nil
    }

    /// The number of callers that wait for this key.
    package func waiting(_ key: String) -> Int { state.withLock { $0.lines[key]?.waiting.count ?? 0 } }

    private func end(_ key: String, isWorking: Bool) {
        change { state in
            if isWorking { state.working -= 1 }
            state.lines[key]?.held -= 1
            if let line = state.lines[key], line.held == 0, line.waiting.isEmpty { state.lines[key] = nil }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let next = state.withLock { state in
            body(&state)
            return state.next(most, mostOfKey)
        }
        for waiter in next { waiter.resume(returning: true) }
    }
}

extension FairTurns.State {
    /// Returns `nil` if the waiter has to wait. Whoever may begin has begun, so nobody is passed over.
    fileprivate mutating func admit(
        _ key: String, _ waiter: FairTurns.Waiter, _ most: Int, _ mostOfKey: Int, _ mostWaiting: Int
    ) -> Bool? {
        var line = lines[key] ?? FairTurns.Line()
        if working < most, line.held < mostOfKey {
            line.held += 1
            working += 1
            lines[key] = line
            return true
        }
        guard line.waiting.count < mostWaiting else { return false }
        if line.waiting.isEmpty { keys.append(key) }
        line.waiting.append(waiter)
        lines[key] = line
        return nil
    }

    /// Those who begin now.
    fileprivate mutating func next(_ most: Int, _ mostOfKey: Int) -> [FairTurns.Waiter] {
        var begun: [FairTurns.Waiter] = []
        while working < most, let index = keys.firstIndex(where: { lines[$0, default: .init()].held < mostOfKey }) {
            let key = keys.remove(at: index)
            guard var line = lines[key], !line.waiting.isEmpty else { continue }
            begun.append(line.waiting.removeFirst())
            line.held += 1
            working += 1
            lines[key] = line
            if !line.waiting.isEmpty { keys.append(key) }
        }
        return begun
    }
}
