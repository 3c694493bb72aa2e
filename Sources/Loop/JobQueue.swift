import CPlatform
import Platform

/// Work that waits for the loop's thread, in order of arrival.
final class JobQueue: @unchecked Sendable {  // guard: everything mutable is touched under `lock`
    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// What the caller of `add` has to do so that the work is run.
    enum Follow {
        /// Nothing: the thread will look again by itself.
        case nothing
        /// Write to the wake-up descriptor.
        case wake
        /// The loop's thread has ended: give the queue another one.
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

    /// All that waits, for the loop's thread to run. Whatever is added from now on wakes it again.
    func take() -> [Work] {
        lock.withLock {
            isAwake = false
            guard !waiting.isEmpty else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    /// Gives up the thread if nothing waits; false means "run `take()` first".
    func retireThread() -> Bool {
        lock.withLock {
            guard waiting.isEmpty else { return false }
            hasThread = false
            return true
        }
    }

    /// Resumes everyone who waits for the loop's end, and whoever asks later.
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
