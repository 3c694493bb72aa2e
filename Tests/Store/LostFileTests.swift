import CSQLite
import Core
import FoundationEssentials
import Store
import Testing

/// The files of an open database are deleted, replaced or truncated: the store notices before it confirms anything, and
/// writes what is in force to a new file.
struct LostFileTests {
    enum Loss: String, CaseIterable {
        case cut, deleted, replaced
    }

    static let losses: [(String, Loss, String)] = Loss.allCases.flatMap { loss in
        ["", "-wal", "-shm"].map { suffix in
            let said = [
                .cut: "was cut to 0 bytes", .deleted: "was deleted", .replaced: "was replaced by another file",
            ][loss]
            return (suffix, loss, "cdev.db\(suffix) \(said ?? "")")
        }
    }

    private func lose(_ path: String, _ loss: Loss) throws {
        switch loss {
        case .cut: #expect(truncate(path, 0) == 0)
        case .deleted: try FileManager.default.removeItem(atPath: path)
        case .replaced:
            try Data(repeating: 7, count: 70_000).write(to: URL(filePath: path + ".new"))
            #expect(csqlite_rename(path + ".new", path) == 0)
        }
    }

    /// A store with a rule, an open request, a session and a device.
    private func filled(_ directory: StoreDirectory) async throws -> Store {
        let (store, _) = try await directory.open()
        try await store.createDevice(Samples.device())
        try await store.commit(
            [.rule(Samples.rule()), .rule(Samples.rule("rule_2")), .request(Samples.request())]
                + [.session(Samples.session()), Samples.event(1)], .full)
        return store
    }

    @Test(arguments: losses) func nothingIsConfirmedThatNobodyWillRead(
        _ suffix: String, _ loss: Loss, _ said: String
    ) async throws {
        let directory = try StoreDirectory()
        let store = try await filled(directory)
        try lose(directory.database + suffix, loss)
        try await store.commit([.deleteRule(id: "rule_2"), .request(Samples.request("r_new"))], .removal)
        let notice = try #require(store.status.notice)
        #expect(notice.contains(said) && notice.contains("the log, the replay were lost"))
        #expect(store.status.failure == nil)
        let (next, remembered) = try await directory.snapshot().open()
        #expect(remembered.rules.map(\.id) == ["rule_1"])
        #expect(remembered.requests.map(\.id).sorted() == ["r_1", "r_new"])
        #expect(remembered.sessions == [Samples.session()])
        #expect(try await next.devices() == [Samples.device()])
        #expect(try await next.events(from: 1, limit: 9).gap)
    }

    @Test(arguments: losses) func aLookIsEnough(_ suffix: String, _ loss: Loss, _ said: String) async throws {
        let directory = try StoreDirectory()
        let store = try await filled(directory)
        await store.look()
        #expect(store.status.notice == nil)
        try lose(directory.database + suffix, loss)
        await store.look()
        #expect(store.status.notice?.contains(said) == true && store.status.failure == nil)
        #expect(try await directory.snapshot().open().remembered.rules.count == 2)
    }

    /// The file at the path may be a backup that somebody restored.
    @Test func whatTookItsPlaceIsMovedAside() async throws {
        let directory = try StoreDirectory()
        let store = try await filled(directory)
        try lose(directory.database, .replaced)
        try Data("theirs".utf8).write(to: URL(filePath: directory.database + "-wal.new"))
        #expect(csqlite_rename(directory.database + "-wal.new", directory.database + "-wal") == 0)
        await store.look()
        let aside = try #require(try directory.files.first { $0.hasPrefix("cdev.db.corrupt-") && $0.hasSuffix("Z") })
        #expect(try directory.contents(directory.path + "/" + aside) == [UInt8](repeating: 7, count: 70_000))
        #expect(try directory.contents(directory.path + "/" + aside + "-wal") == Array("theirs".utf8))
    }

    /// The whole directory is gone: nothing can be confirmed until it is back.
    @Test func withoutADirectoryEachWriteFails() async throws {
        let directory = try StoreDirectory()
        let store = try await filled(directory)
        try FileManager.default.removeItem(atPath: directory.path)
        for _ in 0..<2 {
            await #expect(throws: StoreError.self) { try await store.commit([.rule(Samples.rule("rule_3"))], .full) }
            await store.look()
            #expect(store.status.failure?.kind == .cannotOpen)
        }
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
        await store.look()
        #expect(store.status.failure == nil, "it recovers by itself")
        try await store.commit([.rule(Samples.rule("rule_3"))], .full)
        #expect(try await directory.snapshot().open().remembered.rules.count == 3)
    }

    /// Whether the file at the path is still the one that is written to cannot be told: nothing is confirmed, nothing given up.
    @Test func withoutALookAtTheDirectoryEachWriteFails() async throws {
        let directory = try StoreDirectory()
        let store = try await filled(directory)
        #expect(csqlite_rename(directory.path, directory.path + ".away") == 0)
        #expect(symlink(directory.path, directory.path) == 0)
        await #expect(throws: StoreError.self) { try await store.commit([.deleteRule(id: "rule_2")], .removal) }
        await store.look()
        #expect(store.status.failure?.kind == .cannotOpen)
        #expect(store.status.failure?.detail.contains("looking at cdev.db") == true)
        try FileManager.default.removeItem(atPath: directory.path)
        #expect(csqlite_rename(directory.path + ".away", directory.path) == 0)
        try await store.commit([.rule(Samples.rule("rule_3"))], .full)
        #expect(store.status.failure == nil && store.status.notice == nil, "it goes on with the same file")
        #expect(try await directory.snapshot().open().remembered.rules.map(\.id) == ["rule_1", "rule_3"])
    }

    /// Another program may write what is in the log into the database and empty the log: nothing is lost by that.
    @Test func aLogThatAnotherProgramEmptiedIsNoLoss() async throws {
        let directory = try StoreDirectory()
        let store = try await filled(directory)
        let other = try OtherConnection(directory.database)
        #expect(try other.run("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "0")
        #expect(try directory.contents(directory.database + "-wal").isEmpty)
        await store.look()
        try await store.commit([.rule(Samples.rule("rule_3"))], .full)
        #expect(store.status.notice == nil && store.status.failure == nil)
        #expect(try await directory.snapshot().open().remembered.rules.count == 3)
    }

    @Test func aClosedStoreLooksAtNothing() async throws {
        let directory = try StoreDirectory()
        let store = try await filled(directory)
        try await store.close(nextSequence: 2)
        await store.look()
        await #expect(throws: StoreError.self) { try await store.commit([.rule(Samples.rule("rule_3"))], .full) }
        #expect(try directory.files == ["cdev.db"])
        #expect(store.status.notice == nil)
    }
}
