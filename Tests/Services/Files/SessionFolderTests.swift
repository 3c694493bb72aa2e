import Core
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing

@Suite("Folders in which sessions of ours work", .timeLimit(.minutes(1)))
struct SessionFolderTests {
    private final class Stage: Sendable {
        let directory: TemporaryDirectory
        let news = FakeNews()
        let told = Events<LiveEvent>()
        let watches: FolderWatches
        let folders = SessionFolders()

        init() throws {
            directory = try TemporaryDirectory()
            _ = shell("cd '\(directory.path)' && mkdir -p src/deep .git $(seq 9)")
            watches = FolderWatches(disk: RealDisk(), news: news, clock: ManualClock(), log: NoLog()) { [told] in
                told.add($0)
            }
            folders.look(through: watches)
        }

        func session(_ id: String, _ life: RunLife) {
            let time = Timestamp(milliseconds: 0)
            hear(
                .changed(
                    RunSession(
                        id: id, workspaceID: "ws-1", directory: directory.path, startedAt: time, agentID: "a",
                        mode: .default, life: life, run: 1, hasConversation: true, clocks: RunClocks(lastActivity: time)
                    )
                ), of: id)
        }

        /// A call that names a file.
        func call(_ path: String, of id: String = "s") {
            let input: JSON = ["file_path": .string(path)]
            let message = TranscriptMessage(
                kind: .assistant, flags: [], uuid: "u", parent: nil, time: nil, branch: nil, agentID: nil,
                message: ["content": [["type": "tool_use", "id": "t", "name": "Write", "input": input]]],
                tools: ["Write": Tool(name: "Write", kind: .fileChanges, members: [.file: "file_path"])])
            hear(.message(message, agentID: "a"), of: id)
        }

        private func hear(_ event: RunEvent, of id: String) {
            folders.heard(
                .live(
                    LiveEvent(
                        at: Timestamp(milliseconds: 0), workspaceID: "ws-1", sessionID: id, body: .run(event))))
        }

        func run(_ script: String) { _ = shell("cd '\(directory.path)' && { \(script); }") }

        func isWatched(_ count: Int) async throws {
            while news.listening != count { try await letOthersRun() }
        }

        /// Waits until this is told, as of a workspace that everybody may see.
        func hears(_ change: String) async throws {
            news.tell()
            while true {
                let event = try await told.next()
                guard case .fileChanged(let told) = event.body else { continue }
                #expect(event.workspaceID == "ws-1" && event.sessionID == "" && event.audience == nil)
                if "\(told.kind.rawValue) \(told.path.text)" == change { return }
            }
        }
    }

    @Test func itsWorkspaceIsLookedAtAsLongAsItHasAProcess() async throws {
        let stage = try Stage()
        stage.session("s", .starting)
        try await stage.isWatched(1)
        stage.run("touch new")
        try await stage.hears("created new")
        for life: RunLife in [.ready, .ending(RunEnding(.park))] { stage.session("s", life) }
        try await stage.isWatched(1)
        stage.session("s", .parked)
        try await stage.isWatched(0)
        stage.session("s", .starting)
        try await stage.isWatched(1)
        stage.session("s", .ended(.stopped))
        try await stage.isWatched(0)
    }

    @Test func severalSessionsAndClientsLookAtOnePlace() async throws {
        let stage = try Stage()
        let root = WatchedFolder(workspaceID: "ws-1", root: stage.directory.path, directory: .root)
        for id in ["s", "t"] { stage.session(id, .ready) }
        _ = try await stage.watches.begin(root, seconds: 60, by: "s")
        try await stage.isWatched(1)
        stage.session("s", .parked)
        // A client may have the name of a session.
        #expect(stage.watches.end(root, by: "s"))
        try await stage.isWatched(1)
        stage.session("t", .parked)
        try await stage.isWatched(0)
    }

    @Test func theFoldersOfTheFilesThatItsToolsNameAreLookedAt() async throws {
        let stage = try Stage()
        stage.session("s", .ready)
        stage.call(stage.directory.path + "/src/a")
        try await stage.isWatched(2)
        stage.run("touch src/a")
        try await stage.hears("created src/a")
        // One that the call makes is new in one that is there.
        stage.call("src/deep/far/away/b")
        try await stage.isWatched(3)
        stage.run("mkdir src/deep/far")
        try await stage.hears("created src/deep/far")
        stage.session("s", .parked)
        try await stage.isWatched(0)
    }

    @Test func onlyTheLastOnesAre() async throws {
        let stage = try Stage()
        stage.session("s", .ready)
        try await stage.isWatched(1)
        for number in 1...9 {
            stage.call("\(number)/a")
            try await stage.isWatched(min(number + 1, 8))
        }
        stage.run("touch 9/a 1/a")
        try await stage.hears("created 9/a")
    }

    @Test func nothingElsewhereIsAndNothingSensitive() async throws {
        let stage = try Stage()
        stage.call("src/a")
        stage.session("s", .ready)
        try await stage.isWatched(1)
        for path in ["/etc/passwd", "../a", ".git/config", "a", stage.directory.path + "x/a", "src/a"] {
            stage.call(path)
        }
        try await stage.isWatched(2)
        stage.call("src/deep/a", of: "another")
        try await letOthersRun()
        #expect(stage.news.listening == 2)
    }

    /// Those of sessions leave clients theirs, and the other way round.
    @Test func clientsHaveTheirOwn() async throws {
        let stage = try Stage()
        stage.run("mkdir $(seq 10 80)")
        func folder(_ number: Int) throws -> WatchedFolder {
            WatchedFolder(
                workspaceID: "ws-1", root: stage.directory.path, directory: try WorkspacePath("\(number)"))
        }
        for number in 1...64 { try await stage.watches.begin(folder(number), of: "s\(number / 8)") }
        await #expect(throws: FileFailure.tooManyWatches(limit: 64)) {
            try await stage.watches.begin(folder(65), of: "x")
        }
        for number in 1...64 { _ = try await stage.watches.begin(folder(number + 10), seconds: 60, by: "\(number)") }
        await #expect(throws: FileFailure.tooManyWatches(limit: 64)) {
            try await stage.watches.begin(folder(80), seconds: 60, by: "x")
        }
    }
}
