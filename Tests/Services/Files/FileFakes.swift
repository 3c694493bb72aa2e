import Core
import Platform
import Services
import TestSupport

/// Workspaces by the test's word.
struct FakeWorkspaces: WorkspaceFinder, WorkspaceLister {
    var all: [Workspace]

    init(_ paths: String...) {
        all = paths.enumerated().map { index, path in
            Workspace(
                id: "ws-\(index + 1)", name: "w\(index + 1)", path: path, origin: .added,
                createdAt: Timestamp(milliseconds: 0), lastActive: Timestamp(milliseconds: 0))
        }
    }

    func workspace(_ id: String) async -> Workspace? { all.first { $0.id == id } }
    func workspace(holding path: String) async -> Workspace? { all.first { path.hasPrefix($0.path) } }
    func workspaces() async -> [Workspace] { all }
}

/// Tells of changes when the test says so.
final class FakeNews: FolderNews {
    private struct Ear: Cancellable {
        let number: Int
        let news: FakeNews

        func cancel() { news.ears.withLock { $0[number] = nil } }
    }

    private let ears = Locked<[Int: @Sendable (String?) -> Void]>([:])
    private let count = Locked(0)
    private let problem = Locked<String?>(nil)

    /// Said to whoever begins to listen.
    func set(problem: String?) { self.problem.withLock { $0 = problem } }

    var listening: Int { ears.withLock { $0.count } }

    func watch(_ path: String, heard: @escaping @Sendable (String?) -> Void) -> any Cancellable {
        let number = count.withLock { count in
            count += 1
            return count
        }
        ears.withLock { $0[number] = heard }
        let problem = problem.withLock { $0 }
        Task.detached { heard(problem) }
        return Ear(number: number, news: self)
    }

    func tell(_ problem: String? = nil) {
        for heard in ears.withLock({ Array($0.values) }) { heard(problem) }
    }
}

struct NoGit: GitRunner {
    func run(_ invocation: GitInvocation) async throws(GitRunFailure) -> GitOutput { throw .notInstalled }
}

extension WorkspaceFiles {
    /// A workspace on the real disk.
    static func over(_ root: String, git: any GitRunner, clock: any TimeSource = ManualClock()) -> WorkspaceFiles {
        let disk = RealDisk()
        let watches = FolderWatches(disk: disk, news: FakeNews(), clock: clock, log: NoLog()) { _ in }
        return WorkspaceFiles(
            workspaces: FakeWorkspaces(root), disk: disk, git: git, watches: watches, clock: clock)
    }

    /// What a driver is shown.
    func listing(_ path: String = "") async throws -> FileListing {
        let driver = Caller(identity: .device(id: "e", name: "desk"), rights: .driver)
        let query = FileListQuery(workspace: .only, directory: try WorkspacePath(path), limit: 500, offset: 0)
        return try await list(query, by: driver)
    }
}
