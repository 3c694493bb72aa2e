import CPlatform
import Platform

/// The queue of work for the loop's thread, in order of arrival.
final class JobQueue: Sendable {
    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// The step that the caller of `add` has to take so that the work runs.
    enum Follow {
        /// Nothing: the thread runs and will call `take()` again.
        case nothing
        /// Write to the wake-up descriptor.
        case wake
        /// Start a new thread, because the loop's thread has ended.
        case startThread
    }

    private struct State {
        var waiting: [Work] = []
        var isAwake = false
        var hasThread = true
        var isEnded = false
        var endWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func add(_ work: Work, onLoop: Bool) -> Follow {
        state.withLock { state in
            state.waiting.append(work)
            guard state.hasThread else {
                state.hasThread = true
                state.isAwake = true
                return .startThread
            }
            if onLoop || state.isAwake { return .nothing }
            state.isAwake = true
            return .wake
        }
    }

    /// Returns all waiting work and empties the queue. Work added from now on wakes the thread again.
    func take() -> [Work] {
        state.withLock { state in
            state.isAwake = false
            guard !state.waiting.isEmpty else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Gives up the thread if no work waits; false means "run `take()` first".
    func retireThread() -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty else { return false }
            state.hasThread = false
            return true
        }
    }

    /// Resumes all callers of `waitForEnd`, present and future.
    func announceEnd() {
        let waiters = state.withLock { state in
            state.isEnded = true
            defer { state.endWaiters = [] }
            return state.endWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let resumeNow = state.withLock { state in
                if !state.isEnded { state.endWaiters.append(continuation) }
                return state.isEnded
            }
            if resumeNow { continuation.resume() }
        }
    }
}
