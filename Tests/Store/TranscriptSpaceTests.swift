import Agents
import Platform
import Store
import TestSupport
import Testing

/// The index of transcripts on a disk that is nearly full: it could take what decisions need.
@Suite struct TranscriptSpaceTests {
    @Test func whereTheDiskIsNearlyFullNothingIsTakenIn() async throws {
        let directory = try TemporaryDirectory()
        _ = shell("mkdir -p '\(directory.path)/projects/-p'")
        let free = Locked<Int64?>(64 << 20)
        let index = TranscriptStore(
            path: directory("transcripts.db"), source: ClaudeTranscripts(directory: directory.path),
            freeSpace: { free.withLock { $0 } })
        func write(_ count: Int) throws {
            let lines = (1...count).map { #"{"type":"user","uuid":"u\#($0)","message":{"role":"user","content":"t"}}"# }
            try directory.write(lines.map { $0 + "\n" }.joined(), to: "projects/-p/s1.jsonl")
        }
        func messages() async throws -> Int64? { try await index.session("s1")?.session.facts.messages }
        try write(1)
        try await index.refresh()
        #expect(try await messages() == 1)
        try write(2)
        free.withLock { $0 = (64 << 20) - 1 }
        let failure = await #expect(throws: StoreError.self) { try await index.refresh() }
        #expect(failure?.kind == .scarce && failure?.description.contains("kept for decisions") == true)
        // What is in the index is still read.
        #expect(try await messages() == 1)
        free.withLock { $0 = nil }
        try await index.refresh()
        #expect(try await messages() == 2)
        await index.close()
    }
}
