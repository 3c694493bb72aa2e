import CSQLite

/// One thread that runs jobs in the order they came: the owner of the connection. Writing waits for the disk, and that
/// must never hold up the loop that serves connections.
///
/// `@unchecked Sendable`: `jobs` and `isStopping` are touched only under `mutex`.
final class StoreThread: SerialExecutor, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
    private var isStopping = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// The thread keeps this object alive until `stop`.
    func start() throws(StoreError) {
        let context = Unmanaged.passRetained(self)
        let failure = csqlite_thread_start(
            { Unmanaged<StoreThread>.fromOpaque($0!).takeRetainedValue().run() }, context.toOpaque())
        guard failure != 0 else { return }
        context.release()
        throw StoreError(.other, "no thread could be started (errno \(failure))")
    }

    /// Ends the thread once no job is left.
    func stop() {
        locked { isStopping = true }
        pthread_cond_signal(condition)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        locked { jobs.append(job) }
        pthread_cond_signal(condition)
    }

    private func run() {
        while let batch = next() {
            for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    /// All jobs that wait, in order; `nil` once stopped.
    private func next() -> [UnownedJob]? {
        locked {
            while jobs.isEmpty {
                if isStopping { return nil }
                pthread_cond_wait(condition, mutex)
            }
            defer { jobs = [] }
            return jobs
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
