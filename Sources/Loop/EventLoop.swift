import CEvents
import CPlatform
package import Platform

/// One thread that waits for sockets, timers and signals, and is the executor of actors.
///
/// An actor runs on a loop by returning `loop.asUnownedSerialExecutor()` as its `unownedExecutor`. Its jobs then run
/// between two waits of the loop without changing threads: about half the latency of the global pool (measured 35
/// against 79 µs for a request). Nothing that blocks may run here.
///
/// Call `stop()` when done; a loop that is not stopped lives as long as the process. Jobs that arrive after the stop
/// still run, one after another, so that no task hangs.
///
/// `base`, `sources` and `isStopping` are used on the loop's thread only, and before that thread starts; the queue has a
/// lock of its own.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {  // guard: its thread, or a lock

    /// Runs the closure on a new thread. Throws where the system has no thread left.
    package typealias ThreadStart = @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> Void

    let base: OpaquePointer
    private let queue = JobQueue()
    private let startOwnThread: ThreadStart
    private let wakeEnds: (read: Int32, write: Int32)
    private var sources: [ObjectIdentifier: EventSource] = [:]
    private var isStopping = false

    /// Starts the thread.
    package convenience init() throws(SystemError) {
        try self.init { body throws(SystemError) in try DetachedThread.start("cdev-loop", body) }
    }

    /// - Parameter startThread: Starts the loop's thread, and one for work that arrives after the stop. For tests of a
    ///   system that has no thread left.
    package init(startThread: @escaping ThreadStart) throws(SystemError) {
        startOwnThread = startThread
        var ends: [Int32] = [-1, -1]
        _ = try checked(cplatform_wake_open(&ends))
        guard let base = event_base_new() else { throw SystemError(code: ENOMEM) }
        self.base = base
        wakeEnds = (ends[0], ends[1])
        cplatform_ignore_sigpipe()
        try startOwnThread { [self] in runAsLoopThread { waitForEvents() } }
    }

    deinit {
        event_base_free(base)
        cplatform_close(wakeEnds.read)
        if wakeEnds.write != wakeEnds.read { cplatform_close(wakeEnds.write) }
    }

    /// Ends the thread once all waiting work is done, and returns when the thread has ended. Timers that are still
    /// armed are dropped. Stop servers before the loop.
    package func stop() async {
        execute {
            self.isStopping = true
            event_base_loopbreak(self.base)
        }
        await queue.waitForEnd()
    }

    // MARK: Work

    /// True if the caller runs on this loop's thread.
    package var isCurrent: Bool {
        cplatform_current_loop() == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs the closure on the loop's thread, after all work that is already waiting.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        add(.closure(body))
    }

    /// Runs the closure at once if this is the loop's thread, else later on that thread.
    package func executeNow(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { add(.closure(body)) }
    }

    /// Runs the closure on the loop's thread and returns what it returns.
    package func run<Result: Sendable, Failure: Error>(
        _ body: @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await LoopActor(loop: self).run(body)
    }

    /// Starts a task that begins on the loop's thread and returns to it after each `await` of a
    /// `nonisolated(nonsending)` function. Call this on the loop's thread.
    ///
    /// Write the closure without a capture list: Swift 6.3 silently makes a closure with one `@concurrent`, and then it
    /// leaves the loop's thread at once.
    package func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        precondition(isCurrent, "EventLoop.spawn is for the loop's own thread")
        return LoopActor(loop: self).start(body)
    }

    private func add(_ work: JobQueue.Work) {
        switch queue.add(work, onLoop: isCurrent) {
        case .nothing: break
        case .wake: cplatform_wake_signal(wakeEnds.write)
        case .startThread: startFinishing()
        }
    }

    /// Runs work that arrived after the stop.
    private func startFinishing() {
        do {
            try startOwnThread { [self] in runAsLoopThread { finishWork() } }
        } catch {
            // The system has no thread left, so the work runs on the caller's thread: late is better than never. The
            // queue lets no other thread take work meanwhile.
            runAsLoopThread { finishWork() }
        }
    }

    // MARK: SerialExecutor

    package func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    package func checkIsolated() {
        precondition(isCurrent, "not on the event loop's thread")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    // MARK: The thread

    /// Runs `body` on the calling thread, which counts as the loop's until `body` returns.
    private func runAsLoopThread(_ body: () -> Void) {
        let before = cplatform_current_loop()
        cplatform_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
        body()
        cplatform_set_current_loop(before)
    }

    private func waitForEvents() {
        let readEnd = wakeEnds.read
        let wake = EventSource(loop: self, number: readEnd, kinds: EV_READ | EV_PERSIST) {
            cplatform_wake_clear(readEnd)
        }
        wake.arm()
        drain()
        // The work just done may have been `stop`, and `event_base_dispatch` ignores a loopbreak made before its start.
        if !isStopping { event_base_dispatch(base) }
        wake.cancel()
        for source in sources.values { source.cancel() }
        sources = [:]
        finishWork()
        queue.announceEnd()
    }

    private func finishWork() {
        repeat { drain() } while !queue.retireThread()
    }

    /// Runs a callback of libevent, then the jobs that it queued, without a system call in between.
    func inCallback(_ body: () -> Void) {
        body()
        drain()
    }

    /// Runs the waiting jobs. Jobs that keep queueing new ones must not keep sockets waiting: after 64 rounds or a
    /// millisecond the rest waits for the loop's next turn.
    private func drain() {
        let end = ContinuousClock.now + .milliseconds(1)
        for _ in 0..<64 {
            let work = queue.take()
            if work.isEmpty { return }
            for item in work { perform(item) }
            if ContinuousClock.now > end { break }
        }
        cplatform_wake_signal(wakeEnds.write)
    }

    private func perform(_ work: JobQueue.Work) {
        switch work {
        case .job(let job):
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .closure(let body): body()
        }
    }

    // MARK: Sources that end with the loop

    func adopt(_ source: EventSource) {
        sources[ObjectIdentifier(source)] = source
    }

    func drop(_ source: EventSource) {
        source.cancel()
        sources[ObjectIdentifier(source)] = nil
    }
}
