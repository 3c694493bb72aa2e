import Core
import Host
import Platform
import Services
import TestSupport
import Testing

@Suite("Files of a workspace", .timeLimit(.minutes(1)))
struct WorkspaceFilesTests {
    private static let viewer = Caller(identity: .device(id: "d", name: "phone"), rights: .viewer)
    private static let driver = Caller(identity: .device(id: "e", name: "desk"), rights: .driver)
    private static let agent = Caller(identity: .local(pid: 7), rights: .agent)

    private let directory: TemporaryDirectory
    private let clock = ManualClock()

    init() throws {
        directory = try TemporaryDirectory()
        _ = shell(
            """
            cd '\(directory.path)' && mkdir -p src .git .ssh && echo text > src/a && echo secret > .env && \
            echo secret > .git/config && ln -s .env notes && ln -s .git pub && ln -s ../.env src/link
            """)
    }

    private func files(_ workspaces: FakeWorkspaces? = nil, _ disk: any WorkspaceDisk = RealDisk()) -> WorkspaceFiles {
        let watches = FolderWatches(disk: disk, news: FakeNews(), clock: clock, log: NoLog()) { _ in }
        return WorkspaceFiles(
            workspaces: workspaces ?? FakeWorkspaces(directory.path), disk: disk, git: NoGit(), watches: watches,
            clock: clock)
    }

    private func content(_ path: String, by caller: Caller) async throws -> String {
        let query = FileQuery(workspace: .only, path: try WorkspacePath(path), limit: 100)
        return String(decoding: try await files().content(query, by: caller).bytes, as: UTF8.self)
    }

    private func list(
        _ path: String, by caller: Caller, of choice: WorkspaceChoice = .only, _ files: WorkspaceFiles? = nil
    ) async throws -> [String] {
        let query = FileListQuery(workspace: choice, directory: try WorkspacePath(path), limit: 100, offset: 0)
        let page = try await (files ?? self.files()).list(query, by: caller).page
        return (page.directories.map(\.name) + page.files.map(\.name)).sorted()
    }

    /// Found when the call came, and gone when the folder was read.
    private struct Vanishing: WorkspaceFinder, WorkspaceLister {
        let workspace: Workspace
        private let asked = Locked(false)

        init(_ workspace: Workspace) { self.workspace = workspace }

        func workspace(_ id: String) async -> Workspace? {
            asked.withLock { asked in
                defer { asked = true }
                return asked ? nil : workspace
            }
        }
        func workspace(holding path: String) async -> Workspace? { nil }
        func workspaces() async -> [Workspace] { [workspace] }
    }

    @Test func aWorkspaceThatGoesMeanwhileIsNotWatched() async throws {
        let news = FakeNews()
        let watches = FolderWatches(disk: RealDisk(), news: news, clock: clock, log: NoLog()) { _ in }
        let files = WorkspaceFiles(
            workspaces: Vanishing(FakeWorkspaces(directory.path).all[0]), disk: RealDisk(), git: NoGit(),
            watches: watches, clock: clock)
        let folder = FolderQuery(workspace: .id("ws-1"), directory: try WorkspacePath("src"))
        await #expect(throws: FileFailure.unknownWorkspace(id: "ws-1")) {
            _ = try await files.watch(folder, seconds: 60, by: "c", of: nil)
        }
        #expect(news.listening == 0)
    }

    @Test func whoMayLookSeesWhatIsNotSensitive() async throws {
        #expect(try await content("src/a", by: Self.viewer) == "text\n")
        #expect(try await list("", by: Self.viewer) == [".env", ".git", ".ssh", "notes", "pub", "src"])
        #expect(try await list("src", by: Self.viewer) == ["a", "link"])
    }

    /// By its own name, or by a link that looks harmless.
    @Test(arguments: [
        (".env", ".env"), (".git/config", ".git/config"), ("notes", ".env"), ("pub/config", ".git/config"),
        ("src/link", ".env"),
    ])
    func sensitiveContentNeedsTheRightToDrive(_ path: String, _ place: String) async throws {
        for caller in [Self.viewer, Self.agent] {
            await #expect(throws: FileFailure.sensitive(path: place)) { try await content(path, by: caller) }
        }
        #expect(try await content(path, by: Self.driver) == "secret\n")
    }

    @Test(arguments: [(".git", ".git"), ("pub", ".git"), (".ssh", ".ssh")])
    func namesInASensitiveDirectoryToo(_ path: String, _ place: String) async throws {
        await #expect(throws: FileFailure.sensitive(path: place)) { try await list(path, by: Self.viewer) }
        _ = try await list(path, by: Self.driver)
    }

    @Test func whichWorkspaceIsSaid() async throws {
        let two = files(FakeWorkspaces(directory.path, "/nowhere"))
        #expect(try await list("src", by: Self.viewer, of: .id("ws-1"), two) == ["a", "link"])
        await #expect(throws: FileFailure.several(FakeWorkspaces(directory.path, "/nowhere").all)) {
            try await list("", by: Self.viewer, two)
        }
        await #expect(throws: FileFailure.unknownWorkspace(id: "x")) {
            try await list("", by: Self.viewer, of: .id("x"), two)
        }
        await #expect(throws: FileFailure.noWorkspaces) { try await list("", by: Self.viewer, files(FakeWorkspaces())) }
        await #expect(throws: FileFailure.obstacle(.workspaceMoved, path: "")) {
            try await list("", by: Self.viewer, of: .id("ws-2"), two)
        }
    }

    /// A disk that hangs delays only those who ask for it.
    @Test func aDiskThatHangsIsGivenUp() async throws {
        let disk = HungDisk()
        let files = files(nil, disk)
        let outcome = Task { try await list("", by: Self.viewer, files) }
        await disk.isAsked()
        clock.advance(by: 8)
        await #expect(throws: FileFailure.late) { _ = try await outcome.value }
        disk.answer()
    }
}
