import Core
import OrderedJSON
import Store
import TestSupport
import Testing

/// What happens to appended changes while the database cannot take them.
struct QueueTests {
    @Test(.timeLimit(.minutes(1))) func aFailedBatchIsKeptAndTriedAgain() async throws {
        let (store, pauses, directory) = try await lockable()
        let other = try OtherConnection(directory.database)
        try other.script("BEGIN IMMEDIATE")
        store.append([.rule(Samples.rule("rule_1")), Samples.event(1)])
        for _ in 0..<3 { await pauses.endNext() }
        // The fourth pause begins once the third attempt has failed.
        while await pauses.lengths.count < 4 { try await letOthersRun() }
        let failure = try #require(store.status.failure)
        #expect(failure.kind == .busy)
        store.append([.rule(Samples.rule("rule_2")), .deleteRule(id: "rule_1")])
        #expect(store.status.queued == 4)
        try other.script("ROLLBACK")
        await pauses.endNext()
        try await untilWritten(store)
        #expect(store.status.failure == nil)
        store.append([Samples.event(2)])
        try other.script("BEGIN IMMEDIATE")
        await pauses.endNext()
        while await pauses.lengths.count < 6 { try await letOthersRun() }
        #expect(await pauses.lengths == [40, 80, 160, 320, 40, 80].map { .milliseconds($0) })
        #expect(try await directory.snapshot().open().remembered.rules.map(\.id) == ["rule_2"])
    }

    @Test func whatComesBackStandsInFront() {
        var queue = AppendQueue(limits: QueueLimits())
        queue.add([.rule(Samples.rule())])
        let batch = queue.take()
        queue.add([.deleteRule(id: "rule_1")])
        queue.putBack(batch)
        #expect(queue.take() == [.rule(Samples.rule()), .deleteRule(id: "rule_1")])
        #expect(queue.changes.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func theLongestPauseIsFiveSeconds() async throws {
        let (store, pauses, directory) = try await lockable()
        let other = try OtherConnection(directory.database)
        try other.script("BEGIN IMMEDIATE")
        store.append([Samples.event(1)])
        for _ in 0..<10 { await pauses.endNext() }
        while await pauses.lengths.count < 11 { try await letOthersRun() }
        #expect(await pauses.lengths.suffix(2) == [.seconds(5), .seconds(5)])
        try other.script("ROLLBACK")
        // A commit is written at once, and the whole queue with it.
        try await store.commit([.rule(Samples.rule())], .full)
        #expect(store.status.queued == 0)
        #expect(try await store.events(from: 1, limit: 1).events.count == 1)
    }

    @Test func aFailedCommitKeepsWhatWasAppended() async throws {
        let (store, _, directory) = try await lockable()
        let other = try OtherConnection(directory.database)
        store.append([.rule(Samples.rule("rule_1"))])
        try other.script("BEGIN IMMEDIATE")
        await #expect(throws: StoreError.self) { try await store.commit([.rule(Samples.rule("rule_2"))], .full) }
        #expect(store.status.queued == 1)
        try other.script("ROLLBACK")
        try await store.close(nextSequence: 1)
        #expect(try await directory.open().remembered.rules.map(\.id) == ["rule_1"])
    }

    static let limits = [QueueLimits(changes: 16, bytes: 1 << 20), QueueLimits(changes: 1000, bytes: 64 + 16 * 100)]

    @Test(arguments: limits) func theOldestEventsGoFirst(_ limits: QueueLimits) async throws {
        let (store, _, directory) = try await lockable(limits)
        let other = try OtherConnection(directory.database)
        try other.script("BEGIN IMMEDIATE")
        store.append([.request(Samples.request()), .rule(Samples.rule())])
        for number in 1...100 as ClosedRange<Int64> { store.append([Samples.event(number)]) }
        let dropped = store.status.droppedEvents
        #expect(dropped > 80 && dropped < 100)
        #expect(store.status.droppedRequests == 0)
        try other.script("ROLLBACK")
        let page = try await store.events(from: 1, limit: 1000)
        #expect(page.events.map(\.sequence) == Array(Int64(dropped + 1)...100))
        #expect(page.gap)
        #expect(try await store.events(from: Int64(dropped + 1), limit: 1).gap == false)
        try await store.close(nextSequence: 101)
        let (second, remembered) = try await directory.open()
        #expect(remembered.requests == [Samples.request()])
        #expect(remembered.rules == [Samples.rule()])
        #expect(try await second.events(from: Int64(dropped), limit: 1).gap)
    }

    @Test func thenTheRecordsOfWhatIsOverAndNothingElse() async throws {
        let (store, _, directory) = try await lockable(QueueLimits(changes: 16, bytes: 1 << 20))
        let other = try OtherConnection(directory.database)
        try other.script("BEGIN IMMEDIATE")
        for number in 1...20 {
            store.append([
                .request(Samples.request("over_\(number)", resolution: Samples.resolution())),
                .request(Samples.request("open_\(number)")), .session(Samples.session()),
                .rule(Samples.rule("rule_\(number)")), .deleteRule(id: "rule_0"), .sequenceCeiling(Int64(number)),
            ])
        }
        #expect(store.status.droppedEvents == 0)
        #expect(store.status.droppedRequests > 10)
        try other.script("ROLLBACK")
        try await store.close(nextSequence: 1)
        let kept = try await directory.open().remembered
        #expect(kept.requests.filter(\.isOpen).count == 20)
        #expect(kept.rules.count == 20)
        #expect(kept.sessions.count == 1)
    }

    private func lockable(
        _ limits: QueueLimits = QueueLimits()
    ) async throws -> (Store, Pauses, StoreDirectory) {
        let directory = try StoreDirectory()
        let pauses = Pauses()
        let (store, _) = try await directory.open {
            $0.pause = pauses.option
            $0.busyTimeoutMilliseconds = 0
            $0.limits = limits
        }
        return (store, pauses, directory)
    }
}
