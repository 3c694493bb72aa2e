import Core
import Store
import Testing

struct RetentionTests {
    static let day: Int64 = 86_400_000

    @Test func whatIsOldGoesAndTheRestStays() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: 40 * Self.day)
        let ends: [(String, Int64?)] = [
            ("r_old", 10 * Self.day - 1), ("r_new", 10 * Self.day), ("r_open", nil),
        ]
        for (id, end) in ends {
            let resolution = end.map { Samples.resolution(at: $0) }
            store.append([.request(Samples.request(id, session: "asked", at: 39 * Self.day, resolution: resolution))])
        }
        store.append([
            .session(Samples.session("ended", ended: 10 * Self.day - 1)), .session(silent("silent")),
            .session(silent("asked")), .rule(Samples.rule("rule_1", lastMatch: 39 * Self.day - 1)),
            .rule(Samples.rule("rule_2", lastMatch: 39 * Self.day)),
        ])
        try await store.commit([], .normal)
        try await store.sweep(Retention(days: 30))
        #expect(try await store.history(HistoryQuery()).entries.map(\.request.id) == ["r_open", "r_new"])
        let other = try OtherConnection(directory.database)
        #expect(try other.run("SELECT count(*) FROM resolutions") == [["1"]])
        #expect(try other.run("SELECT id FROM sessions") == [["asked"]])
        #expect(try other.run("SELECT id FROM rules") == [["rule_2"]])
    }

    /// The broker measures a rule's age by the time since the machine was started. The wall clock may be a day ahead for
    /// a while.
    @Test func aRuleOfASessionThatGoesOnStays() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: 40 * Self.day)
        var session = Samples.session()
        session.lastActivity = Timestamp(milliseconds: 38 * Self.day)
        let rule = Samples.rule(lastMatch: 38 * Self.day)
        try await store.commit([.session(session), .rule(rule)], .full)
        try await store.sweep(Retention())
        #expect(try await directory.snapshot().open().remembered.rules == [rule])
    }

    @Test func spaceGoesBackToTheFileSystem() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: 40 * Self.day)
        let text = String(repeating: "x", count: 4000)
        for start in stride(from: Int64(1), to: 8000, by: 1000) {
            try await store.commit((start..<start + 1000).map { Samples.event($0, text: text) }, .normal)
        }
        let other = try OtherConnection(directory.database)
        let before = try pages(other)
        try await store.sweep(Retention())
        #expect(before > 8000)
        #expect(try pages(other) < 2000)
    }

    /// Each slice is a transaction of its own, and a commit that comes meanwhile is written between two slices.
    @Test(.timeLimit(.minutes(1))) func commitsPassDuringASweep() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open(now: 40 * Self.day)
        try await store.commit((1...5000).map { Samples.event($0, at: 1) }, .normal)
        let sweep = Task { try await store.sweep(Retention()) }
        var sizes: Set<Int> = []
        var first: Int64 = 0
        while first < 5001 {
            try await store.commit([.rule(Samples.rule())], .normal)
            first = try await store.events(from: 1, limit: 1).events.first?.sequence ?? 5001
            sizes.insert(Int(first))
        }
        try await sweep.value
        #expect(sizes.count > 2)
    }

    private func silent(_ id: String) -> ExternalSession {
        var session = Samples.session(id)
        session.lastActivity = Timestamp(milliseconds: 1)
        return session
    }

    private func pages(_ connection: OtherConnection) throws -> Int {
        Int(try connection.run("PRAGMA page_count")[0][0]) ?? 0
    }
}
