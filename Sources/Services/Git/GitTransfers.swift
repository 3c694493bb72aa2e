import Core

/// Exchanges commits with other machines. Nobody is asked for a password.
struct GitTransfers: Sendable {
    let repository: GitRepository
    let reader: GitReader

    // MARK: Fetch

    func fetch(_ order: GitFetchOrder) async throws(GitFailure) -> GitDone {
        let remotes = try await remotes()
        guard !remotes.isEmpty else { throw .refused(Self.noRemote) }
        if let remote = order.remote { try check(remote, remotes) }
        let words: [GitWord] = order.prunes ? ["--prune"] : []
        let output = try await transfer(
            ["fetch", "--no-recurse-submodules"] + words + (order.remote.map { ["--", GitWord($0)] } ?? []))
        let from = order.remote ?? (remotes.count == 1 ? remotes[0] : "the remote")
        return GitDone(message: "Fetched from \(from)", output: GitText.plain(output.errors + output.output))
    }

    // MARK: Pull

    func pull(rebase: Bool?) async throws(GitFailure) -> GitPulled {
        let source = try await reader.branches().upstream ?? "the remote"
        let before = try await reader.conflicts()
        let head = try await reader.commit("HEAD")
        let words: [GitWord] = rebase.map { [$0 ? "--rebase" : "--no-rebase"] } ?? []
        do throws(GitFailure) {
            let output = try await transfer(["pull", "--no-edit", "--no-recurse-submodules"] + words, .writing)
            let isUpToDate = try await reader.commit("HEAD") == head
            return GitPulled(
                source: source, isUpToDate: isUpToDate, output: GitText.plain(output.errors + output.output))
        } catch {
            throw try await reader.conflict(
                behind: error, before: before, rebase == true ? "Rebase conflict" : "Merge conflict")
        }
    }

    // MARK: Push

    func push(_ order: GitPushOrder) async throws(GitFailure) -> GitPushed {
        let remotes = try await remotes()
        guard !remotes.isEmpty else { throw .refused(Self.noRemote) }
        if let remote = order.remote { try check(remote, remotes) }
        let report = try await reader.branches()
        guard let branch = order.branch ?? report.current else {
            throw .refused(
                GitProblem(
                    .unborn, "no branch is checked out, so git does not know which to push; name one in \"branch\""))
        }
        guard let found = report.branches.first(where: { !$0.isRemote && $0.name == branch }) else {
            throw .refused(GitProblem(.unknownName, "there is no branch \"\(branch.prefix(80))\" with a commit here"))
        }
        let isNamed = order.remote != nil || order.branch != nil || order.setsUpstream
        let remote = order.remote ?? found.upstream?.remote(among: remotes) ?? Self.usual(remotes)
        let unseen = try await count([GitWord(found.commit), "--not", "--remotes=\(remote)"])
        var words: [GitWord] = ["push", "--porcelain"]
        if order.isForced { words.append("--force-with-lease") }
        if order.setsUpstream { words.append("--set-upstream") }
        if isNamed { words += ["--", GitWord(remote), "refs/heads/\(branch):refs/heads/\(branch)"] }
        let output = try await transfer(words)
        let target = isNamed ? "\(remote)/\(branch)" : found.upstream ?? "\(remote)/\(branch)"
        let isUpToDate = output.output.split(separator: 10).contains { $0.starts(with: "=\t".utf8) }
        return GitPushed(
            target: target, commits: isUpToDate ? 0 : unseen, isUpToDate: isUpToDate,
            output: GitText.plain(output.errors + output.output))
    }

    private func count(_ words: [GitWord]) async throws(GitFailure) -> Int {
        Int(try await repository.read(["rev-list", "--count"] + words).text) ?? 0
    }

    // MARK: Remotes

    private static let noRemote = GitProblem(
        .noRemote,
        "the repository has no remote, so there is nothing to exchange commits with; add one with git remote add")

    private func remotes() async throws(GitFailure) -> [String] {
        try await repository.read(["remote"]).text.split(separator: "\n").map(String.init)
    }

    private static func usual(_ remotes: [String]) -> String {
        remotes.contains("origin") ? "origin" : remotes[0]
    }

    /// An address in place of a name could lead to a program.
    private func check(_ remote: String, _ remotes: [String]) throws(GitFailure) {
        guard remotes.contains(remote) else {
            let list = remotes.joined(separator: ", ")
            throw .invalid("\"remote\" must be one of the repository's remotes: \(list)")
        }
    }

    /// ssh would ask for a passphrase at a terminal of the daemon. Who named a program of his own for ssh keeps it.
    /// - Parameter kind: A pull also changes files, so it goes on though its client has left.
    private func transfer(
        _ words: [GitWord], _ kind: GitInvocation.Kind = .transfer
    ) async throws(GitFailure) -> GitOutput {
        let own = try await repository.read(["config", "--get", "core.sshCommand"], statuses: [0, 1])
        let batch = [GitInvocation.Setting("core.sshCommand", "ssh -oBatchMode=yes")]
        return try await repository.transfer(words, kind, settings: own.status == 1 ? batch : [])
    }
}

extension String {
    /// The remote of a remote branch such as `origin/main`.
    fileprivate func remote(among remotes: [String]) -> String? { remotes.first { hasPrefix("\($0)/") } }
}
