import Core
import OrderedJSON
import Store
import TestSupport
import Testing

struct WritingTests {
    @Test func aCommitTakesAlongWhatWasAppendedBefore() async throws {
        let directory = try StoreDirectory()
        let pauses = Pauses()
        let (store, _) = try await directory.open { $0.pause = pauses.option }
        store.append([.rule(Samples.rule("rule_1")), Samples.event(1)])
        store.append([.deleteRule(id: "rule_2")])
        try await store.commit([.rule(Samples.rule("rule_2"))], .normal)
        #expect(store.status.queued == 0)
        let kept = try await directory.snapshot().open().remembered
        #expect(kept.rules.map(\.id) == ["rule_1", "rule_2"])
    }

    @Test(.timeLimit(.minutes(1))) func anAppendIsWrittenAfterOnePauseOfLessThan50ms() async throws {
        let directory = try StoreDirectory()
        let pauses = Pauses()
        let (store, _) = try await directory.open { $0.pause = pauses.option }
        for number in 1...3 { store.append([.rule(Samples.rule("rule_\(number)"))]) }
        #expect(store.status.queued == 3)
        #expect(try await directory.snapshot().open().remembered.rules.isEmpty)
        await pauses.endNext()
        try await untilWritten(store)
        #expect(await pauses.lengths == [.milliseconds(40)])
        #expect(try await directory.snapshot().open().remembered.rules.count == 3)
    }

    @Test func ofOneSessionInABatchTheLastCounts() async throws {
        let directory = try StoreDirectory()
        let pauses = Pauses()
        let (store, _) = try await directory.open { $0.pause = pauses.option }
        let other = try OtherConnection(directory.database)
        try other.script(
            "CREATE TABLE writes (x); CREATE TRIGGER t AFTER INSERT ON sessions BEGIN INSERT INTO writes VALUES (1); END"
        )
        var session = Samples.session()
        store.append([.session(session), .rule(Samples.rule(lastMatch: 1))])
        session.cwd = "/elsewhere"
        store.append([.session(session), .deleteRules(sessionID: "s1"), .rule(Samples.rule(lastMatch: 2))])
        try await store.close(nextSequence: 1)
        let kept = try await directory.open().remembered
        #expect(kept.sessions == [session])
        #expect(try other.run("SELECT count(*) FROM writes") == [["1"]])
        #expect(kept.rules == [Samples.rule(lastMatch: 2)])
    }

    @Test(arguments: [(Durability.full, Int64(2)), (.normal, 1), (.full, 2), (.normal, 1)])
    func switchesHowSafelyItWrites(_ durability: Durability, _ level: Int64) async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        for other in [Durability.normal, .full] {
            try await store.commit([.rule(Samples.rule())], other)
            try await store.commit([.rule(Samples.rule())], durability)
            #expect(await store.synchronousLevel == level)
        }
    }

    @Test func aCeilingOutlivesTheLossOfPower() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit([.rule(Samples.rule())], .normal)
        try await store.commit([.sequenceCeiling(200_000)], .normal)
        #expect(await store.synchronousLevel == 2)
    }

    @Test func aFailedCommitLeavesNothingBehind() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit([.rule(Samples.rule("rule_1"))], .normal)
        let other = try OtherConnection(directory.database)
        // The database refuses the third of four changes.
        try other.script(
            "CREATE TRIGGER t BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'not this one'); END")
        await #expect(throws: StoreError.self) {
            try await store.commit(
                [
                    .deleteRule(id: "rule_1"), .request(Samples.request()), .session(Samples.session()),
                    .rule(Samples.rule("rule_2")),
                ], .full)
        }
        #expect(store.status.failure?.description.contains("not this one") == true)
        try other.script("DROP TRIGGER t")
        let kept = try await directory.snapshot().open().remembered
        #expect(kept.rules.map(\.id) == ["rule_1"])
        #expect(kept.requests.isEmpty)
        try await store.commit([.session(Samples.session())], .full)
        #expect(store.status.failure == nil)
    }

    @Test func keepsTheFilesToItself() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.commit([.rule(Samples.rule())], .normal)
        for file in ["cdev.db", "cdev.db-shm", "cdev.db-wal"] {
            #expect(try mode(directory.path + "/" + file) == 0o600, "\(file)")
        }
    }

    @Test func takesRightsFromAFileThatIsTooOpen() async throws {
        let directory = try StoreDirectory()
        try await directory.open().store.close(nextSequence: 1)
        try setMode(directory.database, 0o644)
        _ = try await directory.open()
        #expect(try mode(directory.database) == 0o600)
    }

    @Test func afterTheCloseEverythingIsRefused() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open()
        try await store.close(nextSequence: 1)
        store.append([.rule(Samples.rule())])
        #expect(store.status.queued == 0)
        await #expect { try await store.commit([.rule(Samples.rule())], .full) } throws: { error in
            (error as? StoreError)?.kind == .closed
        }
        #expect(try directory.files == ["cdev.db"])
    }
}

/// Lets the store's thread run what the end of a pause has scheduled.
func untilWritten(_ store: Store) async throws {
    while store.status.queued > 0 { try await letOthersRun() }
    _ = await store.statementTexts
}
