import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FairTurnsTests {
    private let turns = FairTurns(most: 3, mostOfKey: 2, mostWaiting: 2)
    private let held = Locked<[String: FairTurns.Turn]>([:])

    /// Work that is over when the test says so.
    private func begin(_ name: String, _ key: String) async -> Bool {
        guard let turn = await turns.begin(key) else { return false }
        held.withLock { $0[name] = turn }
        return true
    }

    /// Work that has to wait.
    private func wait(_ name: String, _ key: String) async throws {
        let before = turns.waiting(key)
        Task { await begin(name, key) }
        while turns.waiting(key) == before { try await letOthersRun() }
    }

    private func end(_ name: String) { _ = held.withLock { $0.removeValue(forKey: name) } }

    private func hasBegun(_ name: String) async throws {
        while held.withLock({ $0[name] == nil }) { try await letOthersRun() }
    }

    @Test func soManyOfAKeyAndSoManyInAll() async throws {
        #expect(await begin("a1", "a"))
        #expect(await begin("a2", "a"))
        try await wait("a3", "a")
        try await wait("a4", "a")
        #expect(await begin("a5", "a") == false, "so many may wait, and no more")
        #expect(await begin("b1", "b"), "the third of all")
        try await wait("b2", "b")
        // The work of one is done, but its result is still there: its key has no more, another has.
        held.withLock { $0["a1"] }?.endWork()
        try await hasBegun("b2")
        held.withLock { $0["a2"] }?.endWork()
        #expect(turns.waiting("a") == 2)
        end("a1")
        try await hasBegun("a3")
        #expect(turns.waiting("a") == 1)
        for name in ["a2", "a3", "b1", "b2"] { end(name) }
        try await hasBegun("a4")
    }

    /// Whoever sent much waits behind who sent little.
    @Test func keysTakeTurns() async throws {
        let turns = FairTurns(most: 1, mostOfKey: 1, mostWaiting: 9)
        let order = Locked<[String]>([])
        let running = Locked(await turns.begin("a"))
        var tasks: [Task<Void, Never>] = []
        for (name, key) in [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("b2", "b")] {
            let before = turns.waiting(key)
            tasks.append(
                Task {
                    let turn = await turns.begin(key)
                    order.withLock { $0.append(name) }
                    withExtendedLifetime(turn) {}
                })
            while turns.waiting(key) == before { try await letOthersRun() }
        }
        running.withLock { $0 = nil }
        for task in tasks { await task.value }
        #expect(order.withLock { $0 } == ["a1", "b1", "a2", "b2", "a3"])
        #expect(await turns.begin("c") != nil, "all are over")
    }
}
