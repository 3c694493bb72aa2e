package import Core

extension Store {
    package nonisolated func append(_ changes: [StoreChange]) {
        let isFirst = shared.withLock { state in
            guard !state.isClosed else { return false }
            state.queue.add(changes)
            return state.claimFlush()
        }
        if isFirst { scheduleFlush(after: StoreOptions.flushDelay) }
    }

    /// Throws a `StoreError`; then nothing of `changes` is written and what was appended stays queued, followed by
    /// `changes` if they are a `.removal`.
    package func commit(_ changes: [StoreChange], _ durability: Durability) async throws {
        try write(takeQueue(), changes, durability)
    }

    private nonisolated func scheduleFlush(after delay: Duration) {
        Task { [weak self, pause = options.pause] in
            await pause(delay)
            await self?.flushDue()
        }
    }

    private func flushDue() {
        let isClosed = shared.withLock { state in
            state.isFlushDue = false
            return state.isClosed
        }
        guard !isClosed else { return }
        // A failure is kept in `status`, and `failed` has scheduled another attempt.
        try? flush()
    }

    /// Writes what is queued, so that a reader sees it, and checkpoints a log that has grown.
    func flush() throws(StoreError) {
        let batch = takeQueue()
        if !batch.isEmpty { try write(batch, [], .normal) }
        try withRepair { (database) throws(StoreError) in try database.checkpoint(above: Self.checkpointPages) }
    }

    /// Pages of the write-ahead log from which on it is checkpointed. No commit does so: a checkpoint waits for the
    /// disk, and a caller waits for the commit.
    static var checkpointPages: Int { 1000 }

    func takeQueue() -> [StoreChange] {
        shared.withLock { $0.queue.take() }
    }

    var missingThrough: Int64 {
        max(live.missingThrough, shared.withLock { $0.queue.missingThrough })
    }

    private func write(
        _ batch: [StoreChange], _ changes: [StoreChange], _ durability: Durability
    ) throws(StoreError) {
        do {
            let missing = missingThrough
            try withRepair { (database) throws(StoreError) in
                try self.write(batch + changes, to: database, durability, missingThrough: missing)
            }
            succeeded()
        } catch {
            shared.withLock { $0.queue.putBack(durability == .removal ? batch + changes : batch) }
            failed(error)
            throw error
        }
    }

    /// Writes `changes` and what `last` writes in one transaction, then applies `changes` to `live`.
    func write(
        _ changes: [StoreChange], to database: Database, _ durability: Durability, missingThrough: Int64,
        _ last: () throws(StoreError) -> Void = {}
    ) throws(StoreError) {
        let changes = changes.coalesced
        var writer = ChangeWriter(database, eventTotal: eventTotal, ceiling: live.ceiling)
        try database.transaction(Self.level(durability, for: changes)) { () throws(StoreError) in
            for change in changes { try writer.write(change) }
            if missingThrough > live.missingThrough { try database.set(.missingThrough, missingThrough) }
            try last()
        }
        eventTotal = writer.eventTotal
        live.missingThrough = missingThrough
        for change in changes { live.apply(change) }
    }

    /// A ceiling must outlive the loss of power: numbers below it are given out without another write.
    private static func level(_ durability: Durability, for changes: [StoreChange]) -> Database.Synchronous {
        let hasCeiling = changes.contains { if case .sequenceCeiling = $0 { true } else { false } }
        return durability == .normal && !hasCeiling ? .normal : .full
    }

    func succeeded() {
        retryDelay = StoreOptions.flushDelay
        let isDue = shared.withLock { state in
            if state.failure != nil { database?.wait(milliseconds: options.busyTimeoutMilliseconds) }
            state.failure = nil
            return (database?.walPages ?? 0) >= Self.checkpointPages && state.claimFlush()
        }
        if isDue { scheduleFlush(after: StoreOptions.flushDelay) }
    }

    /// After one wait for another process's lock has timed out, each attempt fails at once: hooks that wait for the
    /// lock one after the other would take longer than their relays wait.
    func failed(_ error: StoreError) {
        database?.wait(milliseconds: 0)
        let mustRetry = shared.withLock { state in
            state.failure = error
            return state.queue.count > 0 && state.claimFlush()
        }
        guard mustRetry else { return }
        retryDelay = min(retryDelay * 2, StoreOptions.longestRetryDelay)
        scheduleFlush(after: retryDelay)
    }
}
