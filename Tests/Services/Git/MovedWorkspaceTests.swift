import Core
import Host
import Platform
import Services
import TestSupport
import Testing

/// Another repository is put in the place of a workspace.
@Suite(.timeLimit(.minutes(1))) struct MovedWorkspaceTests {
    /// Shell scripts that put `other/w` where the workspace `par/w` was.
    static let ways = [
        "mv par par.old; ln -s other par", "mv par/w par/w.old; ln -s ../other/w par/w",
    ]

    /// The workspace is `par/w`; the other repository has a commit, an edit and a new file.
    private func stage() throws -> (GitStage, GitManager) {
        let stage = try GitStage()
        stage.sandbox.sh(
            """
            for at in par other; do
                git init -q $at/w; (cd $at/w; echo 1 > f; git add f; git commit -q -m in-$at)
            done
            echo 2 > other/w/f; echo 3 > other/w/new
            """)
        return (stage, GitManager.over(stage, ["w": stage.sandbox.root + "/par/w"]))
    }

    /// What of `other/w` a call of git can read or change.
    private func state(_ stage: GitStage) -> String {
        stage.sandbox.sh(
            "cd other/w; git status --short --branch; git log --format=%s --all; git stash list; git branch")
    }

    @Test(arguments: ways) func gitReadsNothingThroughALink(way: String) async throws {
        let (stage, git) = try stage()
        #expect(try await git.log(.init(limit: 9), in: "w").commits.map(\.subject) == ["in-par"])
        stage.sandbox.sh(way)
        let new = GitDiffQuery(path: GitPath(text: "new"), isStaged: false, showsSensitive: true, limit: 999)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await git.status(in: "w") },
            { _ = try await git.diff(new, in: "w") },
            { _ = try await git.branches(in: "w") },
            { _ = try await git.log(.init(limit: 9), in: "w") },
            { _ = try await git.show(.init(revision: "HEAD", showsSensitive: true, limit: 999), in: "w") },
            { _ = try await git.stashes(in: "w") },
        ]
        for (index, call) in calls.enumerated() {
            let failure = await stage.failure(call)
            #expect(failure?.isOfMovedDirectory == true, "call \(index): \(String(describing: failure))")
        }
    }

    @Test(arguments: ways) func gitChangesNothingThroughALink(way: String) async throws {
        let (stage, git) = try stage()
        stage.sandbox.sh(way)
        let before = state(stage)
        let calls: [@Sendable () async throws -> Void] = [
            { try await git.stage(paths("f"), in: "w") },
            { try await git.unstage(paths("f"), in: "w") },
            { _ = try await git.commit(.init(message: "m", isPushed: false), in: "w") },
            { _ = try await git.discard(paths("f", "new"), in: "w") },
            { _ = try await git.stash(.push(message: nil, untracked: true), in: "w") },
            { _ = try await git.checkout(branch: "b", create: true, in: "w") },
            { _ = try await git.deleteBranch("b", force: true, in: "w") },
            { _ = try await git.push(.init(), in: "w") },
            { _ = try await git.pull(rebase: nil, in: "w") },
            { _ = try await git.fetch(.init(), in: "w") },
            { _ = try await git.abort(in: "w") },
            { _ = try await git.initialize(branch: nil, in: "w") },
        ]
        for (index, call) in calls.enumerated() {
            let failure = await stage.failure(call)
            #expect(failure?.isOfMovedDirectory == true, "call \(index): \(String(describing: failure))")
        }
        #expect(state(stage) == before)
    }

    /// The filters that a call takes off are those of the repository that it found.
    @Test func anotherDirectoryIsRefusedInTheMiddleOfACall() async throws {
        let (stage, _) = try stage()
        let root = stage.sandbox.root
        let swapping = SwappingGit(git: GitProgram(environment: stage.sandbox.environment)) {
            [sandbox = stage.sandbox] in
            _ = sandbox.sh("mv par/w par/old; mv other/w par/w")
        }
        let git = GitManager(
            workspaces: NamedWorkspaces(["w": root + "/par/w"]), runner: swapping, files: WorkTreeFiles())
        let failure = await stage.failure { _ = try await git.log(.init(limit: 9), in: "w") }
        #expect(failure?.isOfMovedDirectory == true)
        #expect(try await git.log(.init(limit: 9), in: "w").commits.map(\.subject) == ["in-other"])
    }

    /// The listing of a workspace's state goes the same way.
    @Test(arguments: ways) func theListOfWorkspacesSaysIt(way: String) async throws {
        let (stage, git) = try stage()
        stage.sandbox.sh(way)
        let start = Timestamp(milliseconds: 0)
        let workspace = Workspace(
            id: "w", name: "w", path: stage.sandbox.root + "/par/w", origin: .added, createdAt: start, lastActive: start
        )
        let facts = await WorkspaceRepositories(git: git, clock: ManualClock()).facts(of: workspace)
        #expect(facts.state == .unhealthy && facts.lastError.contains("a link has taken its place"))
    }
}

/// Runs git, and something else once a repository was found.
private struct SwappingGit: GitRunner {
    let git: GitProgram
    let swap: @Sendable () -> Void
    private let runs = Locked(0)

    init(git: GitProgram, swap: @escaping @Sendable () -> Void) {
        self.git = git
        self.swap = swap
    }

    func run(_ invocation: GitInvocation) async throws(GitRunFailure) -> GitOutput {
        let number = runs.withLock { runs in
            runs += 1
            return runs
        }
        if number == 3 { swap() }
        return try await git.run(invocation)
    }
}

extension GitFailure {
    fileprivate var isOfMovedDirectory: Bool {
        guard case .noDirectory(_, let reason) = self else { return false }
        return reason.contains("a link has taken its place")
    }
}
