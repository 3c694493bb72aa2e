/// Runs functions that belong to no actor on the loop's thread.
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
            // Without the preference, a resumed task would go to the global pool first, and only then to the loop.
            Task(executorPreference: loop) {
                // Capturing the actor makes the task run on the actor's executor.
                _ = me
                await body()
            }
        }
    }
}
