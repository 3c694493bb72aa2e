import CPlatform
import Platform

/// The queue of work for the loop's thread, in order of arrival.
final class JobQueue: @unchecked Sendable {  // guard: everything mutable is touched under `lock`
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

    private let lock = Lock()
    private var waiting: [Work] = []
    private var isAwake = false
    private var hasThread = true
    private var ended = false
    private var endWaiters: [CheckedContinuation<Void, Never>] = []

    func add(_ work: Work, onLoop: Bool) -> Follow {
        lock.withLock {
            waiting.append(work)
            guard hasThread else {
                hasThread = true
                isAwake = true
                return .startThread
            }
            if onLoop || isAwake { return .nothing }
            isAwake = true
            return .wake
        }
    }

    /// Returns all waiting work and empties the queue. Work added from now on wakes the thread again.
    func take() -> [Work] {
        lock.withLock {
            isAwake = false
            guard !waiting.isEmpty else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    /// Gives up the thread if no work waits; false means "run `take()` first".
    func retireThread() -> Bool {
        lock.withLock {
            guard waiting.isEmpty else { return false }
            hasThread = false
            return true
        }
    }

    /// Resumes all callers of `waitForEnd`, present and future.
    func announceEnd() {
        let waiters = lock.withLock {
            ended = true
            defer { endWaiters = [] }
            return endWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let resumeNow = lock.withLock {
                if !ended { endWaiters.append(continuation) }
                return ended
            }
            if resumeNow { continuation.resume() }
        }
    }
}
