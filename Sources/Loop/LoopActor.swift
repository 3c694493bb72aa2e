/// Lends the loop's thread to functions that have no actor of their own.
actor LoopActor {
    private nonisolated let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    func run<Result: Sendable, Failure: Error>(_ body: @Sendable () throws(Failure) -> Result) throws(Failure) -> Result
    {
        try body()
    }

    nonisolated func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        assumeIsolated { me in
            // The preference: what wakes a task that waits gives it to the global pool first, which would send it here.
            Task(executorPreference: loop) {
                // Capturing the actor makes its executor the task's.
                _ = me
                await body()
            }
        }
    }
}
