import CPlatform

/// Runs work that takes long on a few threads beside the event loop, begun in order of arrival. A thread ends when no
/// work is left.
package final class WorkLane: Sendable {
    /// The number of bytes up to which a text is parsed or encoded on the loop; a larger text goes to a lane. The worst
    /// 32 KiB take some milliseconds, real ones 0.1.
    package static let bytesAtOnce = 32 << 10

    private struct Work {
        let weight: Int
        let body: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Work] = []
        /// The weight of all work that waits or runs.
        var weight = 0
        var threads = 0
    }

    private let threads: Int
    private let mostWeight: Int
    private let givesWay: Bool
    private let state = Locked(State())

    /// - Parameters:
    ///   - threads: The number of threads at a time, including threads whose work hangs.
    ///   - mostWeight: The largest weight, usually bytes, of all work that waits or runs. An idle lane takes work of
    ///     any weight.
    ///   - givesWay: True if the loop gets a busy processor first.
    package init(threads: Int, mostWeight: Int, givesWay: Bool = true) {
        self.threads = threads
        self.mostWeight = mostWeight
        self.givesWay = givesWay
    }

    /// Runs `body` and returns its result; nil at once where too much waits.
    package func run<Value: Sendable>(
        weight: Int, _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let isTaken = add(Work(weight: weight) { continuation.resume(returning: body()) })
            if !isTaken { continuation.resume(returning: nil) }
        }
    }

    /// Queues `body`. Returns false, and never runs it, where too much waits.
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
            // The system has no thread left, so the work runs on the caller's thread: late is better than never.
            workOff()
        }
    }

    private func workOff() {
        var done = 0
        while let work = next(after: done) {
            work.body()
            done = work.weight
            // The heap would keep the freed memory of a parse, a hundred times the size of its result.
            if done >= Self.heavy { cplatform_give_back_memory() }
        }
    }

    /// The weight from which freed memory is given back to the system.
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
