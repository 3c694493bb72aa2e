import CEvents
import CPlatform
package import Platform

/// One thread that waits for sockets, timers and signals, and runs the actors that live on it.
///
/// An actor lives on a loop by returning `loop.asUnownedSerialExecutor()` as its `unownedExecutor`. What it does then
/// happens between two waits of the loop without changing threads: about half the latency of the global pool
/// (measured 35 against 79 µs for a request). Nothing that blocks belongs here.
///
/// Call `stop()` when done; a loop that is not stopped lives as long as the process. Jobs that arrive after the stop
/// are run all the same, one after another, so no task is left hanging.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {  // guard: see `base`
    /// Used on the loop's thread only, and before it starts; so are `sources` and `isStopping`. The queue has its lock.
    let base: OpaquePointer
    private let queue = JobQueue()
    private let wakeEnds: (read: Int32, write: Int32)
    private var sources: [ObjectIdentifier: EventSource] = [:]
    private var isStopping = false

    /// Starts the thread.
    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        _ = try checked(cplatform_wake_open(&ends))
        guard let base = event_base_new() else { throw SystemError(code: ENOMEM) }
        self.base = base
        wakeEnds = (ends[0], ends[1])
        cplatform_ignore_sigpipe()
        try startThread { $0.waitForEvents() }
    }

    deinit {
        event_base_free(base)
        cplatform_close(wakeEnds.read)
        if wakeEnds.write != wakeEnds.read { cplatform_close(wakeEnds.write) }
    }

    /// Ends the thread once all work that waits is done, and returns when it has ended. Timers that are still armed
    /// are dropped; servers must be stopped before.
    package func stop() async {
        execute {
            self.isStopping = true
            event_base_loopbreak(self.base)
        }
        await queue.waitForEnd()
    }

    // MARK: Work

    /// Whether the caller runs on this loop's thread.
    package var isCurrent: Bool {
        cplatform_current_loop() == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs the closure on the loop's thread, after all work that waits already.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        add(.closure(body))
    }

    /// Runs the closure at once if this is the loop's thread, else there and later.
    package func executeNow(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { add(.closure(body)) }
    }

    /// Runs the closure on the loop's thread and returns what it returns.
    package func run<Result: Sendable, Failure: Error>(
        _ body: @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await LoopActor(loop: self).run(body)
    }

    /// Starts a task that begins, and goes on after each `await` of a `nonisolated(nonsending)` function, on the
    /// loop's thread. Call it on that thread.
    ///
    /// Write the closure without a capture list: with one, Swift 6.3 silently makes it `@concurrent`, and it leaves the
    /// loop's thread at once.
    package func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        precondition(isCurrent, "EventLoop.spawn is for the loop's own thread")
        return LoopActor(loop: self).start(body)
    }

    private func add(_ work: JobQueue.Work) {
        switch queue.add(work, onLoop: isCurrent) {
        case .nothing: break
        case .wake: cplatform_wake_signal(wakeEnds.write)
        case .startThread:
            // Without a thread the work waits for the next one; there is nobody to tell here.
            try? startThread { $0.finishWork() }
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

    private func startThread(_ body: @escaping @Sendable (EventLoop) -> Void) throws(SystemError) {
        try DetachedThread.start("cdev-loop") { [self] in
            cplatform_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
            body(self)
        }
    }

    private func waitForEvents() {
        let readEnd = wakeEnds.read
        let wake = EventSource(loop: self, number: readEnd, kinds: EV_READ | EV_PERSIST) {
            cplatform_wake_clear(readEnd)
        }
        wake.arm()
        drain()
        // The first work may have been the stop, and a dispatch forgets breaks from before it.
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

    /// Runs a callback of libevent, then whatever it made ready: no system call lies between the two.
    func inCallback(_ body: () -> Void) {
        body()
        drain()
    }

    /// Runs what waits. Jobs that always make new ones must not keep sockets waiting: after some rounds, or a
    /// millisecond, the rest is left for the next turn.
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
