import Agents
import Core
import Platform
import Store
import TestSupport
import Testing

/// A file of which there is always more, until the other one was read.
private final class EndlessSource: TranscriptSource {
    private let isOtherRead = Locked(false)

    private func file(_ session: String, size: Int64) -> TranscriptFile {
        TranscriptFile(
            path: "/" + session, sessionID: session, agentID: nil, stamp: .init(inode: 1, size: size, modified: 1))
    }

    func files() -> [TranscriptFile] { [file("endless", size: 1 << 50), file("other", size: 1 << 20)] }
    func files(of sessionID: String) -> [TranscriptFile] { files().filter { $0.sessionID == sessionID } }

    func part(of path: String, from offset: Int64, limit: Int) -> TranscriptPart? {
        if path == "/other" { isOtherRead.withLock { $0 = true } }
        var line = TranscriptLine()
        (line.kind, line.uuid) = (.user, "\(offset)")
        return TranscriptPart(
            lines: [.init(offset: offset, length: 9, line: line)], end: offset + 10,
            isLast: isOtherRead.withLock { $0 }, seal: .init())
    }

    func seal(of path: String, upTo offset: Int64, headLength: Int64) -> TranscriptPart.Seal? { .init() }
    func messages(_ places: [TranscriptPlace], of path: String) -> [TranscriptMessage] { [] }
    func texts(_ places: [TranscriptPlace], of path: String) -> [TranscriptLine?] { [] }
    func note(ofSubagent path: String) -> SubagentNote? { nil }
    func clearings(after mark: SessionClearings.Mark?) -> SessionClearings? { nil }
    func subagentDirectory(of path: String) -> String { path }
}

/// One file keeps no other from being taken in.
@Suite(.timeLimit(.minutes(1))) struct TranscriptFairnessTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func filesTakeTurns() async throws {
        let index = TranscriptStore(path: directory("transcripts.db"), source: EndlessSource())
        try await index.refresh()
        #expect(try await index.sessions(in: nil, limit: 10, offset: 0).total == 2)
        await index.close()
    }

    /// One that somebody asks for is taken in beside, and so are the others.
    @Test func theOneThatIsAskedForDoesNotStopTheOthers() async throws {
        let index = TranscriptStore(path: directory("transcripts.db"), source: EndlessSource())
        let asking = Task { try await index.refresh(session: "endless") }
        while try await index.session("endless") == nil { try await letOthersRun() }
        try await index.refresh()
        try await asking.value
        #expect(try await index.sessions(in: nil, limit: 10, offset: 0).total == 2)
        await index.close()
    }

    /// What has no end is given up, and not looked through again when it has grown.
    @Test func aHoleOfATerabyteIsPassedOver() async throws {
        _ = shell("mkdir -p '\(directory.path)/projects/-p'")
        func write(_ name: String) throws {
            try directory.write(
                #"{"type":"user","uuid":"\#(name)","cwd":"/w","message":{"role":"user","content":"word"}}"# + "\n",
                to: "projects/-p/\(name).jsonl")
        }
        try write("s1")
        try write("s2")
        _ = shell("truncate -s 1T '\(directory("projects/-p/s1.jsonl"))'")
        let gaveUp = Locked<[String]>([])
        let index = TranscriptStore(
            path: directory("transcripts.db"), source: ClaudeTranscripts(directory: directory.path)
        ) { session in gaveUp.withLock { $0.append(session) } }
        try await index.refresh()
        _ = shell("truncate -s 2T '\(directory("projects/-p/s1.jsonl"))'")
        try await index.refresh()
        #expect(gaveUp.withLock { $0 } == ["s1"], "said once")
        #expect(try await index.sessions(in: nil, limit: 10, offset: 0).total == 2)
        #expect(try await index.search("word", in: nil, limit: 10).hits.count == 2)
        await index.close()
    }
}
