import Core
import Store
import Testing

/// Deadlines by the uptime and process identities are valid until the machine boots again.
struct BootTests {
    private static let claude = ProcessIdentity(pid: 77, startTime: .max)

    @Test(arguments: [("one", "one", true), ("one", "two", false), ("", "", false), ("", "one", false)])
    func isKeptForOneStartOfTheMachine(_ first: String, _ second: String, _ isKept: Bool) async throws {
        let directory = try StoreDirectory()
        var request = Samples.request()
        request.due = Uptime(milliseconds: 123_456)
        let (store, _) = try await directory.open { $0.boot = first }
        try await store.commit([.request(request), .claudeProcess(Self.claude)], .normal)
        let restored = try await directory.snapshot().open { $0.boot = second }.remembered
        #expect(restored.requests.map(\.due) == [isKept ? request.due : nil])
        #expect(restored.claudes == (isKept ? [Self.claude] : []))
    }

    /// A pid and a start time can be another process's after a boot.
    @Test(arguments: [("one", "one", true), ("one", "two", false), ("", "one", true), ("one", "", true)])
    func noProcessOfASessionOutlivesTheBoot(_ first: String, _ second: String, _ isKept: Bool) async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open { $0.boot = first }
        try await store.commit([.session(Samples.session())], .normal)
        let restored = try await directory.snapshot().open { $0.boot = second }.remembered
        #expect(restored.sessions.map(\.claudeStartTime) == [isKept ? Samples.session().claudeStartTime : 0])
    }

    @Test func aProcessThatEndedIsForgotten() async throws {
        let directory = try StoreDirectory()
        let (store, _) = try await directory.open { $0.boot = "one" }
        let successor = ProcessIdentity(pid: 77, startTime: 9)
        try await store.commit([.claudeProcess(Self.claude)], .normal)
        try await store.commit([.claudeProcess(successor), .claudeEnded(Self.claude)], .normal)
        #expect(try await directory.snapshot().open { $0.boot = "one" }.remembered.claudes == [successor])
        try await store.commit([.claudeEnded(successor)], .normal)
        #expect(try await directory.snapshot().open { $0.boot = "one" }.remembered.claudes.isEmpty)
    }
}
