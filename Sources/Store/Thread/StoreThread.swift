import Platform

/// The store's executor: one thread that runs jobs in the order they came. Writing waits for the disk, which must never
/// block the loop that serves connections.
final class StoreThread: SerialExecutor, @unchecked Sendable {  // guard: what changes is touched under `lock` only
    private let lock = Lock()
    private let condition = Condition()
    private var jobs: [UnownedJob] = []
    private var isStopping = false
    private var isStarted = false
    private let givesWay: Bool

    /// - Parameter givesWay: True if other threads get a busy processor first.
    init(givesWay: Bool = false) {
        self.givesWay = givesWay
    }

    /// Starts the thread, which the first job does otherwise. The thread keeps this object alive until `stop`.
    func start() throws(StoreError) {
        lock.withLock { isStarted = true }
        do throws(SystemError) {
            try DetachedThread.start(givesWay ? "cdev-index" : "cdev-store", givesWay: givesWay) { self.run() }
        } catch {
            throw StoreError(.other, "no thread could be started: \(error)")
        }
    }

    /// Ends the thread once no job is left.
    func stop() {
        lock.withLock { isStopping = true }
        condition.signal()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = lock.withLock {
            jobs.append(job)
            defer { isStarted = true }
            return !isStarted
        }
        // Where the system has no thread left, the job waits for the next one, which tries again.
        if isFirst, (try? start()) == nil { lock.withLock { isStarted = false } }
        condition.signal()
    }

    private func run() {
        while let batch = next() {
            for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    /// All jobs that wait, in order; `nil` once stopped.
    private func next() -> [UnownedJob]? {
        lock.withLock {
            while jobs.isEmpty {
                if isStopping { return nil }
                condition.wait(lock)
            }
            defer { jobs = [] }
            return jobs
        }
    }
}
