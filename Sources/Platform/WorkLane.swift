import CPlatform

/// Work that takes long, off the loop: on few threads of its own and begun in the order it came. A thread ends when
/// nothing is left to do.
package final class WorkLane: Sendable {
    /// Bytes of what is parsed or written on the loop; more goes to a lane. The worst of so many take some milliseconds,
    /// real ones 0.1.
    package static let bytesAtOnce = 32 << 10

    private struct Work {
        let weight: Int
        let body: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Work] = []
        /// Of what waits and what is being done.
        var weight = 0
        var threads = 0
    }

    private let threads: Int
    private let mostWeight: Int
    private let givesWay: Bool
    private let state = Locked(State())

    /// - Parameters:
    ///   - threads: At a time, also those that are stuck.
    ///   - mostWeight: Of all that is done or waits, usually bytes; one piece is always taken.
    ///   - givesWay: The loop has the processor first, where it is short.
    package init(threads: Int, mostWeight: Int, givesWay: Bool = true) {
        self.threads = threads
        self.mostWeight = mostWeight
        self.givesWay = givesWay
    }

    /// What `body` returns; nil, at once, where too much waits.
    package func run<Value: Sendable>(
        weight: Int, _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let isTaken = add(Work(weight: weight) { continuation.resume(returning: body()) })
            if !isTaken { continuation.resume(returning: nil) }
        }
    }

    /// False, and the work is not done, where too much waits.
    package func start(weight: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
        add(Work(weight: weight, body: body))
    }

    private func add(_ work: Work) -> Bool {
        let needsThread = state.withLock { state -> Bool? in
            guard state.weight == 0 || state.weight + work.weight <= mostWeight else { return nil }
            state.weight += work.weight
            state.waiting.append(work)
            guard state.threads < threads else { return false }
            state.threads += 1
            return true
        }
        guard let needsThread else { return false }
        if needsThread { startThread() }
        return true
    }

    private func startThread() {
        do {
            try DetachedThread.start("cdev-work", givesWay: givesWay) { self.workOff() }
        } catch {
            // Where the system has no thread left, late is better than never.
            workOff()
        }
    }

    private func workOff() {
        var done = 0
        while let work = next(after: done) {
            work.body()
            done = work.weight
            // What was parsed and freed would stay with the heap: a hundred times what is kept of it.
            if done >= Self.heavy { cplatform_give_back_memory() }
        }
    }

    private static let heavy = 1 << 20

    private func next(after done: Int) -> Work? {
        state.withLock { state in
            state.weight -= done
            guard !state.waiting.isEmpty else {
                state.threads -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
