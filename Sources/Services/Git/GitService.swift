package import Core

/// Shows and changes the repositories of workspaces. Every call throws `GitFailure`.
package protocol GitService: Sendable {
    // Reading. Nothing that a repository names is run.
    func status(in workspace: String) async throws(GitFailure) -> GitStatusReport
    func diff(_ query: GitDiffQuery, in workspace: String) async throws(GitFailure) -> GitDiffReport
    func branches(in workspace: String) async throws(GitFailure) -> GitBranchReport
    func log(_ query: GitLogQuery, in workspace: String) async throws(GitFailure) -> GitLogPage
    func show(_ query: GitShowQuery, in workspace: String) async throws(GitFailure) -> GitCommitReport
    func stashes(in workspace: String) async throws(GitFailure) -> [GitStash]

    // Writing. One call at a time for a repository, in the order of arrival; hooks and filters run as at the terminal.
    func stage(_ paths: [GitPath], in workspace: String) async throws(GitFailure)
    func unstage(_ paths: [GitPath], in workspace: String) async throws(GitFailure)
    func discard(_ paths: [GitPath], in workspace: String) async throws(GitFailure) -> GitDiscarded
    func commit(_ commit: GitCommitOrder, in workspace: String) async throws(GitFailure) -> GitCommitted
    func push(_ push: GitPushOrder, in workspace: String) async throws(GitFailure) -> GitPushed
    func pull(rebase: Bool?, in workspace: String) async throws(GitFailure) -> GitPulled
    func fetch(_ fetch: GitFetchOrder, in workspace: String) async throws(GitFailure) -> GitDone
    func checkout(branch: String, create: Bool, in workspace: String) async throws(GitFailure) -> GitCheckedOut
    func deleteBranch(_ name: String, force: Bool, in workspace: String) async throws(GitFailure) -> GitDone
    func stash(_ order: GitStashOrder, in workspace: String) async throws(GitFailure) -> GitDone
    /// Ends a merge, rebase, cherry-pick or revert, and restores what was before it.
    func abort(in workspace: String) async throws(GitFailure) -> GitOperation
    /// Makes a repository in the workspace's directory.
    func initialize(branch: String?, in workspace: String) async throws(GitFailure) -> GitDone
}

/// The reason for which a call did nothing, or not all.
package enum GitFailure: Error, Sendable, Hashable {
    /// Too many calls wait, for this repository or in all.
    case busy
    case cancelled
    /// A parameter cannot be used, for this reason.
    case invalid(String)
    case late(seconds: Int)
    /// The workspace's directory is gone or cannot be entered, for the reason that the system gave.
    case noDirectory(path: String, reason: String)
    case noWorkspace(id: String)
    case notInstalled
    /// Git said no.
    case refused(GitProblem)
    /// The caller's device was revoked while the call waited; nothing of the rest was done.
    case revoked
    /// The repository names more filters than are taken off.
    case tooManyFilters
    case tooOld
}
