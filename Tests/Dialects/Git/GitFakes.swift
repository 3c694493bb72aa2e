import Core
import Services

/// A git that is never run.
struct NoGit: GitRunner, GitFiles {
    func run(_ invocation: GitInvocation) async throws(GitRunFailure) -> GitOutput { throw .notInstalled }
    func operation(in directory: String) async -> GitOperation? { nil }
    func file(_ path: GitPath, below directory: String, limit: Int) async -> GitFileContent? { nil }
}

/// Answers with what the test gave it.
struct OneStatus: GitService {
    var report = GitStatusReport(status: GitStatus(), operation: nil, root: "/p")
    var diff = GitDiffReport(patch: [], isCut: false, isNew: false, hidden: [])

    func status(in workspace: String) async throws(GitFailure) -> GitStatusReport { report }
    func diff(_ query: GitDiffQuery, in workspace: String) async throws(GitFailure) -> GitDiffReport { diff }
    func branches(in workspace: String) async throws(GitFailure) -> GitBranchReport { throw .busy }
    func log(_ query: GitLogQuery, in workspace: String) async throws(GitFailure) -> GitLogPage { throw .busy }
    func show(_ query: GitShowQuery, in workspace: String) async throws(GitFailure) -> GitCommitReport { throw .busy }
    func stashes(in workspace: String) async throws(GitFailure) -> [GitStash] { throw .busy }
    func stage(_ paths: [GitPath], in workspace: String) async throws(GitFailure) { throw .busy }
    func unstage(_ paths: [GitPath], in workspace: String) async throws(GitFailure) { throw .busy }
    func discard(_ paths: [GitPath], in workspace: String) async throws(GitFailure) -> GitDiscarded { throw .busy }
    func commit(_ commit: GitCommitOrder, in workspace: String) async throws(GitFailure) -> GitCommitted { throw .busy }
    func push(_ push: GitPushOrder, in workspace: String) async throws(GitFailure) -> GitPushed { throw .busy }
    func pull(rebase: Bool?, in workspace: String) async throws(GitFailure) -> GitPulled { throw .busy }
    func fetch(_ fetch: GitFetchOrder, in workspace: String) async throws(GitFailure) -> GitDone { throw .busy }
    func checkout(
        branch: String, create: Bool, in workspace: String
    ) async throws(GitFailure) -> GitCheckedOut { throw .busy }
    func deleteBranch(
        _ name: String, force: Bool, in workspace: String
    ) async throws(GitFailure) -> GitDone { throw .busy }
    func stash(_ order: GitStashOrder, in workspace: String) async throws(GitFailure) -> GitDone { throw .busy }
    func abort(in workspace: String) async throws(GitFailure) -> GitOperation { throw .busy }
    func initialize(branch: String?, in workspace: String) async throws(GitFailure) -> GitDone { throw .busy }
}
