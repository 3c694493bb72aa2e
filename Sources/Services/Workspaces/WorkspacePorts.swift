package import Core

/// The part of the database that workspaces need. Each call returns once the change would outlive the daemon.
package protocol WorkspaceStore: Sendable {
    /// Writes workspaces, in place of others of the same directory, and deletes others, in one step.
    func keep(_ workspaces: [Workspace], forgetting ids: [String]) async throws
    /// Deletes a workspace, and keeps that a person removed it. Nothing if it is deleted already.
    func remove(_ removal: WorkspaceRemoval) async throws
}

/// The workspaces as the database has them at the start. If reading fails, sessions make workspaces anew.
package struct KeptWorkspaces: Sendable {
    package var workspaces: [Workspace] = []
    package var removals: [WorkspaceRemoval] = []

    package init(workspaces: [Workspace] = [], removals: [WorkspaceRemoval] = []) {
        self.workspaces = workspaces
        self.removals = removals
    }
}

/// Directories of this machine. Takes as long as the disk does.
package protocol WorkspaceDirectories: Sendable {
    /// The directory's path, links resolved.
    /// - Parameter creating: True to make the directory if it is missing; the one that should hold it must be there.
    func resolve(_ path: String, creating: Bool) throws(DirectoryProblem) -> String
    /// Searches for repositories below directories; follows no link, and enters neither hidden directories nor
    /// repositories.
    /// - Parameter isOver: Asked before each directory; true ends the search.
    func repositories(
        below directories: [String], _ limits: DiscoveryLimits, isOver: () -> Bool
    ) -> FoundRepositories
}

/// The state of a workspace's repository, in a few words.
package struct GitFacts: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case healthy, unavailable, unhealthy
        /// The workspace is in no repository.
        case notGit = "not_git"
    }

    package var state: State
    /// `nil` if no branch is checked out, or nobody can say.
    package var branch: String?
    package var repositoryName: String
    /// `""` if the last call succeeded.
    package var lastError: String

    package init(state: State, branch: String? = nil, repositoryName: String = "", lastError: String = "") {
        self.state = state
        self.branch = branch
        self.repositoryName = repositoryName
        self.lastError = lastError
    }
}

/// Tells of the repositories of workspaces, for lists: it must answer soon, from what it has if git takes long.
package protocol WorkspaceGitFacts: Sendable {
    func facts(of workspace: Workspace) async -> GitFacts
}

/// Knows no repository.
package struct NoWorkspaceGitFacts: WorkspaceGitFacts {
    package init() {}

    package func facts(of workspace: Workspace) async -> GitFacts { GitFacts(state: .unavailable) }
}

/// A session that has a transcript in a workspace.
package struct HistoricalSession: Sendable, Hashable {
    package let id: String
    package let summary: String
    package let messages: Int
    package let lastUpdated: Timestamp

    package init(id: String, summary: String, messages: Int, lastUpdated: Timestamp) {
        self.id = id
        self.summary = summary
        self.messages = messages
        self.lastUpdated = lastUpdated
    }
}

/// Tells of the transcripts of workspaces, from memory or an index.
package protocol WorkspaceHistory: Sendable {
    /// The sessions, the newest first.
    func sessions(in workspace: Workspace, atMost limit: Int) async -> [HistoricalSession]
    /// The session whose transcript a client watches.
    func watchedSession(in workspace: Workspace) async -> String?
    /// The session that a client activated.
    func activeSession(in workspace: Workspace) async -> String?
}

/// Knows no transcript.
package struct NoWorkspaceHistory: WorkspaceHistory {
    package init() {}

    package func sessions(in workspace: Workspace, atMost limit: Int) async -> [HistoricalSession] { [] }
    package func watchedSession(in workspace: Workspace) async -> String? { nil }
    package func activeSession(in workspace: Workspace) async -> String? { nil }
}
