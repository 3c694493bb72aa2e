package import Core

/// The state of workspaces' repositories, for lists of workspaces: each is asked for two seconds at most.
package struct WorkspaceRepositories: WorkspaceGitFacts {
    private let git: any GitService
    private let clock: any TimeSource

    /// Seconds: a list shows the other workspaces meanwhile.
    private static let patience = 2.0

    package init(git: any GitService, clock: any TimeSource) {
        self.git = git
        self.clock = clock
    }

    package func facts(of workspace: Workspace) async -> GitFacts {
        let late = GitFacts(state: .unhealthy, lastError: "git did not answer within 2 s")
        return await clock.value(within: Self.patience, else: late) { await read(workspace) }
    }

    private func read(_ workspace: Workspace) async -> GitFacts {
        do throws(GitFailure) {
            let report = try await git.status(in: workspace.id)
            return GitFacts(state: .healthy, branch: report.status.branch, repositoryName: report.name)
        } catch {
            return GitFacts(error)
        }
    }
}

extension GitFacts {
    fileprivate init(_ failure: GitFailure) {
        switch failure {
        case .refused(let problem) where problem.kind == .notARepository: self.init(state: .notGit)
        case .notInstalled: self.init(state: .unavailable, lastError: "git is not installed")
        case .noDirectory(_, let reason): self.init(state: .unhealthy, lastError: "git cannot be run there: \(reason)")
        case .refused(let problem): self.init(state: .unhealthy, lastError: problem.message)
        default: self.init(state: .unhealthy, lastError: "git could not be asked: \(failure)")
        }
    }
}
