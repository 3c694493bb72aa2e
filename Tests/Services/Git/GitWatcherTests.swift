import Core
import Host
import OrderedJSON
import Platform
import Services
import TestSupport
import Testing

/// Paths of which the test says that they changed.
private final class ToldPaths: PathWatcher {
    private struct Watch: Cancellable {
        let body: @Sendable () -> Void
        func cancel() { body() }
    }

    private let watched = Locked<[String: @Sendable (Bool) -> Void]>([:])
    let began = Events<String>()
    let ended = Events<String>()
    private let isTold: Bool

    init(isTold: Bool = true) { self.isTold = isTold }

    var paths: [String] { watched.withLock { $0.keys.sorted() } }

    func watch(_ path: String, changed: @escaping @Sendable (Bool) -> Void) -> any Cancellable {
        watched.withLock { $0[path] = changed }
        began.add(path)
        changed(isTold)
        return Watch { [watched, ended] in
            watched.withLock { $0[path] = nil }
            ended.add(path)
        }
    }

    func tell() { for changed in watched.withLock({ Array($0.values) }) { changed(true) } }
}

@Suite(.timeLimit(.minutes(1))) struct GitWatcherTests {
    private let stage: GitStage
    private let clock = ManualClock()
    private let heard = Events<LiveEvent>()

    init() throws {
        stage = try GitStage()
        try stage.sandbox.commit(["a": "1\n"])
    }

    private func watcher(_ paths: ToldPaths, isHeard: Bool = true) -> GitWatcher {
        GitWatcher(
            git: stage.git, paths: paths, clock: clock, log: NoLog(), isHeard: { isHeard },
            publish: { [heard] in heard.add($0) })
    }

    /// Lets time pass until `isDone`, while something waits for it: on a busy machine git takes long, and the repository
    /// that nobody asked about for ten minutes meanwhile would be watched no more.
    private func pass(until isDone: () -> Bool) async throws {
        while !isDone() {
            if clock.isWaitedFor { clock.advance(by: 0.5) }
            try await letOthersRun()
        }
    }

    @Test func theEndOfAWorkspaceEndsItsWatch() async throws {
        let paths = ToldPaths()
        let watcher = watcher(paths)
        watcher.noteInterest(in: "w")
        clock.advance(by: 0.5)
        _ = try await paths.began.next(2)
        watcher.forget("w")
        // One that began at this moment ends on its own thread.
        while !paths.paths.isEmpty { try await letOthersRun() }
        watcher.close()
    }

    @Test func tellsWhatChanged() async throws {
        let paths = ToldPaths()
        let watcher = watcher(paths)
        watcher.noteInterest(in: "w")
        clock.advance(by: 0.5)
        _ = try await paths.began.next(2)
        #expect(paths.paths == [stage.sandbox.root + "/.git", stage.sandbox.root + "/.git/refs/heads/main"])
        stage.sandbox.sh("git switch -q -c other; echo 2 > a; git add a")
        paths.tell()
        let isOver = Locked(false)
        async let events = heard.next(3)
        async let passing: Void = pass { isOver.withLock { $0 } }
        let told = try await events
        isOver.withLock { $0 = true }
        try await passing
        #expect(told.map(\.workspaceID) == ["w", "w", "w"])
        // The first is what was there.
        #expect(told.dropFirst().first?.body == .gitBranchChanged(from: "main", to: "other"))
        guard case .gitStatusChanged(let first)? = told.first?.body,
            case .gitStatusChanged(let summary)? = told.last?.body
        else {
            Issue.record("no status was told")
            return
        }
        #expect(first.branch == "main" && first.changed == 0)
        #expect(summary.branch == "other" && summary.staged == 1 && summary.paths == [GitPath("a".utf8)])
        watcher.close()
        // The branch that was left, and at the end the new one and the directory: perhaps on another thread.
        _ = try await paths.ended.next(3)
        #expect(paths.paths == [])
    }

    /// Where the system does not tell, it is looked at every five seconds.
    @Test func looksByItselfWhereNobodyTells() async throws {
        let paths = ToldPaths(isTold: false)
        let watcher = watcher(paths)
        watcher.setSubscribed(["w"])
        clock.advance(by: 0.5)
        _ = try await paths.began.next(2)
        stage.sandbox.sh("echo 2 > new")
        let summary = try #require(try await nextStatus())
        #expect(summary.untracked == 1)
        watcher.close()
    }

    /// The status that is told as the time passes.
    private func nextStatus() async throws -> GitSummary? {
        let isOver = Locked(false)
        async let events = heard.next(2)
        async let passing: Void = pass { isOver.withLock { $0 } }
        let told = try await events
        isOver.withLock { $0 = true }
        try await passing
        guard case .gitStatusChanged(let summary)? = told.last?.body else { return nil }
        return summary
    }

    /// What is written in the work tree changes nothing in git's directory.
    @Test func whatAToolWroteIsTold() async throws {
        let paths = ToldPaths()
        let watcher = watcher(paths)
        let writes = ToolWrites()
        writes.tell(watcher.noteWrite)
        watcher.noteInterest(in: "w")
        clock.advance(by: 0.5)
        _ = try await paths.began.next(2)
        stage.sandbox.sh("echo 2 > a")
        writes.heard(.record(Self.end(of: .fileChanges, in: "w")))
        let summary = try #require(try await nextStatus())
        #expect(summary.unstaged == 1)
        watcher.close()
    }

    @Test func onlyToolsThatWriteAreNoted() {
        let noted = Locked<[String]>([])
        let writes = ToolWrites()
        writes.heard(.record(Self.end(of: .fileChanges, in: "before")))
        writes.tell { id in noted.withLock { $0.append(id) } }
        for kind in ToolKind.allCases { writes.heard(.record(Self.end(of: kind, in: kind.rawValue))) }
        writes.heard(.record(Self.end(of: .fileChanges, in: "")))
        #expect(Set(noted.withLock { $0 }) == ["file_changes", "shell_command"])
    }

    private static func end(of kind: ToolKind, in workspace: String) -> EventRecord {
        let run = ToolRun(
            useID: "t", tool: Tool(name: "T", kind: kind), toolInput: [:], sessionID: "s", cwd: "/p",
            agentID: nil,
            transcriptPath: "", permissionMode: .default, startedAt: Timestamp(milliseconds: 0))
        return EventRecord(
            sequence: 1, at: Timestamp(milliseconds: 0), workspaceID: workspace, sessionID: "s",
            body: .toolEnd(run, response: KeptJSON(.null), isError: false, durationMilliseconds: nil))
    }

    @Test func nobodyIsWatchedForEver() async throws {
        let paths = ToldPaths()
        let watcher = watcher(paths)
        watcher.noteInterest(in: "w")
        clock.advance(by: 0.5)
        _ = try await paths.began.next(2)
        clock.jump(by: GitWatcher.patience + 1)
        watcher.noteInterest(in: "none")
        // A watch that was just begun is ended by who began it.
        _ = try await paths.ended.next(2)
        #expect(paths.paths == [])
        watcher.close()
    }

    @Test func whereNobodyHearsNothingIsAsked() throws {
        let paths = ToldPaths()
        let watcher = watcher(paths, isHeard: false)
        watcher.noteInterest(in: "w")
        clock.advance(by: 10)
        #expect(paths.paths == [] && !clock.isBusy)
        watcher.close()
    }
}
