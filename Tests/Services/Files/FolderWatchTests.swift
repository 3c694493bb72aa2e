import Core
import Platform
import Services
import TestSupport
import Testing

@Suite("Folders that somebody looks at", .timeLimit(.minutes(1)))
struct FolderWatchTests {
    private final class Stage: Sendable {
        let directory: TemporaryDirectory
        let clock = ManualClock()
        let news = FakeNews()
        let events = Events<LiveEvent>()
        let watches: FolderWatches

        init() throws {
            directory = try TemporaryDirectory()
            _ = shell("cd '\(directory.path)' && mkdir -p src .git && echo 1 > src/a")
            watches = FolderWatches(disk: RealDisk(), news: news, clock: clock, log: NoLog()) { [events] in
                events.add($0)
            }
        }

        func folder(_ path: String) throws -> WatchedFolder {
            WatchedFolder(workspaceID: "ws-1", root: directory.path, directory: try WorkspacePath(path))
        }

        func run(_ script: String) { _ = shell("cd '\(directory.path)' && { \(script); }") }

        /// The next change, in words.
        func next() async throws -> String {
            let event = try await events.next()
            guard case .fileChanged(let change) = event.body else { return "\(event)" }
            #expect(event.workspaceID == "ws-1" && event.sessionID == "")
            return "\(change.kind.rawValue) \(change.path.text)"
        }

        /// Waits for a change. A reading may have come in the middle of a script, and have told a part of it.
        func hear(_ change: String) async throws {
            while try await next() != change {}
        }
    }

    @Test func changesAreTold() async throws {
        let stage = try Stage()
        #expect(try await stage.watches.begin(stage.folder("src"), seconds: 60, by: "c") == false)
        stage.run("echo 22 > src/a; touch src/b; touch elsewhere")
        stage.news.tell()
        try await stage.hear("modified src/a")
        try await stage.hear("created src/b")
        stage.run("rm -r src")
        stage.news.tell()
        try await stage.hear("deleted src")
        stage.run("mkdir src")
        stage.news.tell()
        try await stage.hear("created src")
        stage.run("touch src/c")
        stage.news.tell()
        try await stage.hear("created src/c")
    }

    @Test func aFolderOfWhichTheSystemDoesNotTellIsPolled() async throws {
        let stage = try Stage()
        stage.news.set(problem: "too many are watched")
        #expect(try await stage.watches.begin(stage.folder("src"), seconds: 60, by: "c") == true)
        stage.run("touch src/b")
        stage.clock.advance(by: 2)
        try await stage.hear("created src/b")
        // The system tells again: nothing is polled any more.
        stage.news.tell()
        stage.run("touch src/c")
        stage.news.tell()
        try await stage.hear("created src/c")
    }

    @Test func aLookEndsByItself() async throws {
        let stage = try Stage()
        _ = try await stage.watches.begin(stage.folder("src"), seconds: 60, by: "c")
        _ = try await stage.watches.begin(stage.folder("src"), seconds: 90, by: "d")
        #expect(stage.news.listening == 1)
        stage.clock.advance(by: 60)
        #expect(stage.news.listening == 1)
        stage.clock.advance(by: 30)
        #expect(stage.news.listening == 0)
        #expect(try stage.watches.end(stage.folder("src"), by: "d") == false)
    }

    @Test func aLookIsRenewedAndEnded() async throws {
        let stage = try Stage()
        _ = try await stage.watches.begin(stage.folder("src"), seconds: 60, by: "c")
        stage.clock.advance(by: 50)
        _ = try await stage.watches.begin(stage.folder("src"), seconds: 60, by: "c")
        stage.clock.advance(by: 50)
        #expect(stage.news.listening == 1)
        #expect(try stage.watches.end(stage.folder("src"), by: "x") == false)
        #expect(try stage.watches.end(stage.folder("src"), by: "c") == true)
        #expect(stage.news.listening == 0)
        _ = try await stage.watches.begin(stage.folder(""), seconds: 60, by: "c")
        stage.watches.endAll()
        #expect(stage.news.listening == 0)
    }

    /// Nobody is told what changes in a workspace that was removed, whoever looked.
    @Test func theEndOfAConnectionEndsItsLooks() async throws {
        let stage = try Stage()
        for client in ["c", "d"] { _ = try await stage.watches.begin(stage.folder("src"), seconds: 60, by: client) }
        _ = try await stage.watches.begin(stage.folder(""), seconds: 60, by: "c")
        stage.watches.clientLeft("c")
        #expect(stage.watches.end(try stage.folder("src"), by: "c") == false)
        #expect(stage.watches.end(try stage.folder(""), by: "c") == false)
        #expect(stage.watches.end(try stage.folder("src"), by: "d"))
    }

    @Test func theEndOfAWorkspaceEndsItsLooks() async throws {
        let stage = try Stage()
        let other = WatchedFolder(workspaceID: "ws-2", root: stage.directory.path, directory: try WorkspacePath("src"))
        for client in ["c", "d"] {
            for folder in [try stage.folder("src"), try stage.folder(""), other] {
                _ = try await stage.watches.begin(folder, seconds: 60, by: client)
            }
        }
        #expect(stage.news.listening == 3)
        stage.watches.endAll(of: "ws-1")
        #expect(stage.news.listening == 1)
        #expect(try stage.watches.end(stage.folder("src"), by: "c") == false)
        #expect(stage.watches.end(other, by: "c") == true)
    }

    /// Everybody who sees the workspace's events is told.
    @Test func nothingSensitiveIsWatched() async throws {
        let stage = try Stage()
        stage.run("ln -s .git pub; ln -s /etc out")
        for (path, failure) in [
            (".git", FileFailure.unwatchable(path: ".git")), ("pub", .unwatchable(path: "pub")),
            ("out", .obstacle(.leaves, path: "out")), ("none", .obstacle(.missing, path: "none")),
            ("src/a", .obstacle(.notDirectory, path: "src/a")),
        ] {
            await #expect(throws: failure) {
                try await stage.watches.begin(stage.folder(path), seconds: 60, by: "c")
            }
        }
        #expect(stage.news.listening == 0)
    }

    /// Its connections together take a part of what there is for all.
    @Test func aDeviceLeavesRoomForOthers() async throws {
        let stage = try Stage()
        stage.run("mkdir $(seq 70)")
        func begin(_ number: Int, by client: String, of owner: String?) async throws {
            _ = try await stage.watches.begin(stage.folder("\(number)"), seconds: 60, by: client, of: owner)
        }
        for number in 1...16 { try await begin(number, by: "c\(number / 4)", of: "d1") }
        await #expect(throws: FileFailure.tooManyWatches(limit: 16)) { try await begin(17, by: "c9", of: "d1") }
        try await begin(16, by: "c9", of: "d1")
        try await begin(17, by: "e", of: "d2")
        try await begin(18, by: "f", of: nil)
        _ = try stage.watches.end(stage.folder("1"), by: "c0")
        try await begin(19, by: "c9", of: "d1")
    }

    @Test func watchesAreLimited() async throws {
        let stage = try Stage()
        stage.run("mkdir $(seq 70)")
        for number in 1...8 { _ = try await stage.watches.begin(stage.folder("\(number)"), seconds: 60, by: "c") }
        await #expect(throws: FileFailure.tooManyWatches(limit: 8)) {
            try await stage.watches.begin(stage.folder("9"), seconds: 60, by: "c")
        }
        _ = try await stage.watches.begin(stage.folder("8"), seconds: 60, by: "c")
        for number in 9...64 {
            _ = try await stage.watches.begin(stage.folder("\(number)"), seconds: 60, by: "\(number)")
        }
        await #expect(throws: FileFailure.tooManyWatches(limit: 64)) {
            try await stage.watches.begin(stage.folder("65"), seconds: 60, by: "d")
        }
        stage.clock.advance(by: 61)
        #expect(stage.news.listening == 0)
    }
}
