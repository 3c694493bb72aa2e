import Agents
import Core
import Store
import TestSupport
import Testing

/// Sessions that people deleted from the lists.
@Suite struct TranscriptDeletionTests {
    private let directory: TemporaryDirectory
    private let index: TranscriptStore

    init() throws {
        directory = try TemporaryDirectory()
        _ = shell("mkdir -p '\(directory.path)/projects/-p'")
        index = TranscriptStore(
            path: directory("transcripts.db"), source: ClaudeTranscripts(directory: directory.path))
    }

    /// Writes a session with messages at these seconds.
    private func write(_ session: String, at seconds: Int...) throws {
        let lines = seconds.map { second in
            #"{"type":"user","uuid":"\#(session)\#(second)","timestamp":"2026-11-25T03:10:0\#(second)Z","cwd":"/w","#
                + #""sessionId":"\#(session)","message":{"role":"user","content":"needle \#(second)"}}"# + "\n"
        }
        try directory.write(lines.joined(), to: "projects/-p/\(session).jsonl")
    }

    /// The transcript of a deleted session stays, and somebody may go on in it.
    @Test func aDeletedSessionIsListedOnceItGoesOn() async throws {
        try write("s1", at: 1)
        try write("s2", at: 2)
        try await index.refresh()
        let first = try #require(try await index.session("s1")?.session.facts.lastTime)
        func listed(_ deleted: [String: Timestamp], in directory: String? = nil) async throws -> [String] {
            let found = try await index.sessions(in: directory, but: deleted, limit: 10, offset: 0)
            let hits = try await index.search("needle", in: directory, but: deleted, limit: 10).hits
            let ids = found.sessions.map(\.sessionID)
            #expect(found.total == ids.count && Set(hits.map(\.session.sessionID)) == Set(ids))
            return ids
        }
        #expect(try await listed([:]) == ["s2", "s1"])
        #expect(try await listed(["s1": first]) == ["s2"])
        #expect(try await listed(["s1": first, "s2": first], in: "/w") == ["s2"])
        #expect(try await listed(["s9": first, "s1": Timestamp(milliseconds: 0)]) == ["s2", "s1"])
        try write("s1", at: 1, 3)
        try await index.refresh()
        #expect(try await listed(["s1": first]) == ["s1", "s2"])
        #expect(try await index.page(TranscriptPageQuery(sessionID: "s1"))?.total == 2)
    }
}
