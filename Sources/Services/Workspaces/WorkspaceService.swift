package import Core

/// Lists, adds and removes workspaces.
package protocol WorkspaceService: WorkspaceFinder {
    /// The workspace whose directory holds the path, links resolved where the disk answers.
    func workspace(at path: String) async -> Workspace?
    /// All workspaces, sorted by name.
    /// - Parameter gitLimit: The most workspaces whose repository is asked, those that were active last.
    func workspaces(gitLimit: Int) async -> [WorkspaceView]
    /// Ids of the workspaces that requests concern, by the requests' ids; none for a request of no workspace.
    func ids(of requests: [PermissionRequest]) async -> [String: String]
    func view(of id: String) async throws(WorkspaceFailure) -> WorkspaceView
    func status(of id: String) async throws(WorkspaceFailure) -> WorkspaceStatus
    /// Adds the workspace of a directory, or renames the one that is there. Returns once no restart can undo it.
    func add(_ wish: WorkspaceWish) async throws(WorkspaceFailure) -> WorkspaceView
    /// - Parameters:
    ///   - name: `nil` for no change.
    ///   - isStartedWithDaemon: `nil` for no change.
    func update(
        _ id: String, name: String?, isStartedWithDaemon: Bool?
    ) async throws(WorkspaceFailure) -> WorkspaceView
    /// Removes a workspace; its directory stays. Returns once no restart can bring it back.
    func remove(_ id: String) async throws(WorkspaceFailure) -> Workspace
    /// Searches for repositories.
    /// - Parameter directories: Absolute paths; the home directory if there are none.
    func discover(below directories: [String]) async throws(WorkspaceFailure) -> Discovery
}

/// A workspace that a person wants.
package struct WorkspaceWish: Sendable, Hashable {
    package let path: String
    /// `nil` for the directory's.
    package let name: String?
    /// `nil` for the one that it has.
    package let description: String?
    package let isStartedWithDaemon: Bool
    /// True to make the directory if it is missing.
    package let createsDirectory: Bool

    package init(
        path: String, name: String? = nil, description: String? = nil, isStartedWithDaemon: Bool = false,
        createsDirectory: Bool = false
    ) {
        self.path = path
        self.name = name
        self.description = description
        self.isStartedWithDaemon = isStartedWithDaemon
        self.createsDirectory = createsDirectory
    }
}

/// A session that runs in a workspace.
package struct RunningSession: Sendable, Hashable {
    package let id: String
    package let startedAt: Timestamp
    package let lastActive: Timestamp

    package init(id: String, startedAt: Timestamp, lastActive: Timestamp) {
        self.id = id
        self.startedAt = startedAt
        self.lastActive = lastActive
    }
}

/// A workspace with its sessions.
package struct WorkspaceView: Sendable, Hashable {
    package let workspace: Workspace
    /// The session that was active last comes first.
    package var running: [RunningSession] = []
    /// Sessions that do not run, the newest first.
    package var historical: [HistoricalSession] = []
    /// The session that a client activated, else the running one that was active last.
    package var activeSession: String?
    /// `nil` if it was not asked for.
    package var git: GitFacts?
    /// True if it is the user's home directory.
    package var isHome = false

    package init(workspace: Workspace) {
        self.workspace = workspace
    }
}

package struct WorkspaceStatus: Sendable, Hashable {
    package let view: WorkspaceView
    package let git: GitFacts
    /// The session whose transcript a client watches.
    package let watchedSession: String?

    package init(view: WorkspaceView, git: GitFacts, watchedSession: String?) {
        self.view = view
        self.git = git
        self.watchedSession = watchedSession
    }
}

/// The result of a search for repositories.
package struct Discovery: Sendable, Hashable {
    package let found: FoundRepositories
    /// Ids of the workspaces whose directory is one of the repositories, by path.
    package let workspaces: [String: String]
    package let milliseconds: Int

    package init(found: FoundRepositories, workspaces: [String: String], milliseconds: Int) {
        self.found = found
        self.workspaces = workspaces
        self.milliseconds = milliseconds
    }
}

/// The reasons for which a call about workspaces failed.
package enum WorkspaceFailure: Error, Sendable, Hashable {
    /// Too many changes wait.
    case busy
    case directory(DirectoryProblem, path: String)
    case refused(WorkspaceRefusal)
    /// The caller's device was revoked while the call waited; nothing of the rest was done.
    case revoked
    /// The disk did not answer in `seconds`.
    case slow(path: String, seconds: Int)
    /// The change could not be written; the message says what that means.
    case store(String)
}
