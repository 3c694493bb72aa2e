package import Core
import Platform

/// Shows and changes the repositories of workspaces with the installed git.
package final class GitManager: GitService {
    private let workspaces: any WorkspaceFinder
    private let runner: any GitRunner
    private let files: any GitFiles
    /// A list of workspaces asks for the state of each: a few are in memory at a time, and two of one workspace.
    private let states = FairTurns(most: 8, mostOfKey: 2, mostWaiting: .max)
    /// Writers that wait for one repository; more are refused.
    private let turns = Turns(mostWaiting: 32)

    package init(workspaces: any WorkspaceFinder, runner: any GitRunner, files: any GitFiles) {
        self.workspaces = workspaces
        self.runner = runner
        self.files = files
    }

    private func directory(of id: String) async throws(GitFailure) -> String {
        guard let workspace = await workspaces.workspace(id) else { throw .noWorkspace(id: id) }
        return workspace.path
    }

    private func reader(_ id: String) async throws(GitFailure) -> GitReader {
        GitReader(repository: try await GitRepository.find(try await directory(of: id), runner), files: files)
    }

    /// Runs `body` while no other call writes in the repository.
    private func write<Value: Sendable>(
        _ id: String, _ body: (GitReader) async throws(GitFailure) -> Value
    ) async throws(GitFailure) -> Value {
        // First the workspace's turn, before anything is awaited, so that calls keep their order. Several workspaces
        // may be in one repository.
        try await inTurn("workspace \(id)") { () async throws(GitFailure) in
            let reader = try await self.reader(id)
            return try await self.inTurn("repository \(reader.repository.commonDirectory)") {
                () async throws(GitFailure) in try await body(reader)
            }
        }
    }

    private func inTurn<Value: Sendable>(
        _ key: String, _ body: () async throws(GitFailure) -> Value
    ) async throws(GitFailure) -> Value {
        guard await turns.begin(key) else { throw .busy }
        defer { turns.end(key) }
        if Task.isCancelled { throw .cancelled }
        if CallPermit.isRevoked { throw .revoked }
        return try await body()
    }
}

// MARK: - Reading

extension GitManager {
    package func status(in workspace: String) async throws(GitFailure) -> GitStatusReport {
        let turn = await states.begin(workspace)
        defer { withExtendedLifetime(turn) {} }
        return try await reader(workspace).status()
    }

    package func diff(_ query: GitDiffQuery, in workspace: String) async throws(GitFailure) -> GitDiffReport {
        try await reader(workspace).diff(query)
    }

    package func branches(in workspace: String) async throws(GitFailure) -> GitBranchReport {
        try await reader(workspace).branches()
    }

    package func log(_ query: GitLogQuery, in workspace: String) async throws(GitFailure) -> GitLogPage {
        try await reader(workspace).log(query)
    }

    package func show(_ query: GitShowQuery, in workspace: String) async throws(GitFailure) -> GitCommitReport {
        try await reader(workspace).show(query)
    }

    package func stashes(in workspace: String) async throws(GitFailure) -> [GitStash] {
        try await reader(workspace).stashes()
    }
}

extension GitManager {
    /// The state, and the paths that change with it.
    func watched(_ workspace: String) async throws(GitFailure) -> (report: GitStatusReport, paths: [String]) {
        let reader = try await reader(workspace)
        let report = try await reader.watchedStatus()
        let repository = reader.repository
        // Git's directory holds HEAD, the index, FETCH_HEAD, packed references and the marks of operations.
        var paths = [repository.gitDirectory]
        if repository.commonDirectory != repository.gitDirectory { paths.append(repository.commonDirectory) }
        if let branch = report.status.branch { paths.append("\(repository.commonDirectory)/refs/heads/\(branch)") }
        if let upstream = report.status.upstream {
            paths.append("\(repository.commonDirectory)/refs/remotes/\(upstream)")
        }
        return (report, paths)
    }
}

// MARK: - Writing

extension GitManager {
    package func stage(_ paths: [GitPath], in workspace: String) async throws(GitFailure) {
        try await write(workspace) { reader throws(GitFailure) in try await reader.writer.stage(paths) }
    }

    package func unstage(_ paths: [GitPath], in workspace: String) async throws(GitFailure) {
        try await write(workspace) { reader throws(GitFailure) in try await reader.writer.unstage(paths) }
    }

    package func discard(_ paths: [GitPath], in workspace: String) async throws(GitFailure) -> GitDiscarded {
        try await write(workspace) { reader throws(GitFailure) in try await reader.writer.discard(paths) }
    }

    package func commit(_ commit: GitCommitOrder, in workspace: String) async throws(GitFailure) -> GitCommitted {
        try await write(workspace) { reader throws(GitFailure) in
            let made = try await reader.writer.commit(commit.message)
            guard commit.isPushed else { return made }
            // The commit is made, so a push that fails is part of the answer.
            let push = await Result.of { () async throws(GitFailure) in
                // The hooks of the commit may have taken minutes.
                if CallPermit.isRevoked { throw .revoked }
                return try await reader.transfers.push(GitPushOrder())
            }
            return GitCommitted(id: made.id, files: made.files, output: made.output, push: push)
        }
    }

    package func push(_ push: GitPushOrder, in workspace: String) async throws(GitFailure) -> GitPushed {
        try await write(workspace) { reader throws(GitFailure) in try await reader.transfers.push(push) }
    }

    package func pull(rebase: Bool?, in workspace: String) async throws(GitFailure) -> GitPulled {
        try await write(workspace) { reader throws(GitFailure) in try await reader.transfers.pull(rebase: rebase) }
    }

    package func fetch(_ fetch: GitFetchOrder, in workspace: String) async throws(GitFailure) -> GitDone {
        try await write(workspace) { reader throws(GitFailure) in try await reader.transfers.fetch(fetch) }
    }

    package func checkout(
        branch: String, create: Bool, in workspace: String
    ) async throws(GitFailure) -> GitCheckedOut {
        try await write(workspace) { reader throws(GitFailure) in
            try await reader.writer.checkout(branch, create: create)
        }
    }

    package func deleteBranch(
        _ name: String, force: Bool, in workspace: String
    ) async throws(GitFailure) -> GitDone {
        try await write(workspace) { reader throws(GitFailure) in
            try await reader.writer.delete(branch: name, force: force)
        }
    }

    package func stash(_ order: GitStashOrder, in workspace: String) async throws(GitFailure) -> GitDone {
        try await write(workspace) { reader throws(GitFailure) in try await reader.writer.stash(order) }
    }

    package func abort(in workspace: String) async throws(GitFailure) -> GitOperation {
        try await write(workspace) { reader throws(GitFailure) in
            guard let operation = await self.files.operation(in: reader.repository.gitDirectory) else {
                throw .refused(GitProblem(.nothingToDo, "there is no merge or rebase to abort"))
            }
            return try await reader.writer.abort(operation)
        }
    }

    package func initialize(branch: String?, in workspace: String) async throws(GitFailure) -> GitDone {
        let directory = try await directory(of: workspace)
        return try await inTurn("workspace \(workspace)") { () async throws(GitFailure) in
            let found = await Result.of { () async throws(GitFailure) in
                try await GitRepository.find(directory, self.runner)
            }
            if case .success(let repository) = found {
                throw .refused(
                    GitProblem(.nothingToDo, "the workspace is in the repository at \(repository.root) already"))
            }
            let words: [GitWord] = branch.map { ["--initial-branch=\($0)"] } ?? []
            let output = try await self.runner.output(
                of: GitInvocation(.writing, in: directory, ["init", "--quiet"] + words), [0])
            return GitDone(
                message: "Made a repository in \(directory)", output: GitText.plain(output.errors + output.output))
        }
    }
}

extension GitReader {
    fileprivate var writer: GitWriter { GitWriter(repository: repository, reader: self) }
    fileprivate var transfers: GitTransfers { GitTransfers(repository: repository, reader: self) }
}
