import Core
import FoundationEssentials
import OrderedJSON
import Store
import TestSupport
import Testing

struct FailureTests {
    @Test func aFullDiskIsSaidAndOvercome() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open { $0.busyTimeoutMilliseconds = 0 }
        let large = Samples.request("r_2", input: .string(String(repeating: "x", count: 1 << 20)))
        try await store.limitPages(to: 60)
        await #expect { try await store.commit([.rule(Samples.rule()), .request(large)], .full) } throws: { error in
            (error as? StoreError)?.kind == .full
        }
        let text = try #require(store.status.failure).description
        #expect(
            text.contains("full") && text.contains("no allow is given; denies are") && text.contains("Free some space"))
        #expect(try await directory.snapshot().open().remembered.rules.isEmpty)
        try await store.limitPages(to: 1_000_000)
        try await store.commit([.rule(Samples.rule()), .request(large)], .full)
        #expect(store.status.failure == nil)
        let (written, remembered) = try await directory.snapshot().open()
        #expect(remembered.requests.map(\.id) == ["r_2"])
        #expect(try await written.entry(of: "r_2")?.request == large)
    }

    @Test func aLockedDatabaseFailsEachCommitUntilItIsFree() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open { $0.busyTimeoutMilliseconds = 1 }
        let other = try OtherConnection(directory.database)
        try other.script("BEGIN IMMEDIATE")
        #expect(await store.busyTimeout == 1)
        for _ in 0..<2 {
            await #expect(throws: StoreError.self) { try await store.commit([.rule(Samples.rule())], .full) }
        }
        #expect(store.status.failure?.kind == .busy)
        // Only the first attempt waits for the lock.
        #expect(await store.busyTimeout == 0)
        #expect(try await store.events(from: 1, limit: 1).events.isEmpty)
        try other.script("ROLLBACK")
        try await store.commit([.rule(Samples.rule())], .full)
        #expect(store.status.failure == nil)
        #expect(await store.busyTimeout == 1)
    }

    @Test func aLockedDatabaseStopsTheStart() async throws {
        let directory = try StoreDirectory()
        try await directory.open().store.close(nextSequence: 1)
        let other = try OtherConnection(directory.database)
        try other.script("BEGIN IMMEDIATE")
        await #expect { _ = try await directory.open { $0.busyTimeoutMilliseconds = 1 } } throws: { error in
            (error as? StoreError)?.kind == .busy
        }
    }

    @Test func aMissingOrClosedDirectoryStopsTheStart() async throws {
        await #expect { _ = try await Store.open("/nonexistent/cdev.db", tools: Catalog.claude) } throws: { error in
            (error as? StoreError)?.kind == .cannotOpen && "\(error)".contains("/nonexistent/cdev.db")
        }
        let directory = try StoreDirectory()
        try FileManager.default.createDirectory(atPath: directory.database, withIntermediateDirectories: false)
        await #expect(throws: StoreError.self) { _ = try await directory.open() }
    }

    static let kinds: [(Int32, StoreError.Kind)] = [
        (5, .busy), (261, .busy), (6, .busy), (8, .readOnly), (1032, .readOnly), (10, .inputOutput),
        (4874, .inputOutput), (11, .corrupt), (267, .corrupt), (26, .corrupt), (13, .full), (14, .cannotOpen),
        (1, .other), (19, .other),
    ]

    @Test(arguments: kinds) func namesWhatHappened(_ code: Int32, _ kind: StoreError.Kind) {
        let error = StoreError(code: code, message: "its words")
        #expect(error.kind == kind)
        let text = error.description
        #expect(text.contains("its words, code \(code)") && text.contains("no allow is given") && text.hasSuffix("."))
        #expect(!error.remedy.isEmpty && text.contains(error.remedy))
        let atStart = error.descriptionAtStart
        #expect(atStart.contains("its words, code \(code)") && atStart.contains("has not started"))
        #expect(!atStart.contains("no allow is given") && !atStart.contains("by itself"))
        #expect(atStart.contains("start cdev again") || atStart.contains("restart cdev"))
    }
}
