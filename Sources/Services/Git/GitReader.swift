import Core

/// Shows one repository. Runs nothing that the repository names.
struct GitReader: Sendable {
    let repository: GitRepository
    let files: any GitFiles

    /// For every difference. Attributes of the repository may name programs, and its settings may change the form.
    private static let diffOptions: [GitWord] = [
        "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "--submodule=short",
        "--src-prefix=a/", "--dst-prefix=b/", "--find-renames",
    ]
    /// Bytes of a list: a hundred thousand paths have some ten megabytes.
    private static let mostListed = 128 << 20
    /// Of a list that is shown. As values it takes three times as much.
    private static let mostShown = 32 << 20
    /// Files of a list of which the lines are counted. Each takes a hundred bytes more, and git's time.
    private static let mostCounted = 10_000
    /// Bytes of a difference that are read, of which the answer gets its share.
    private static let mostDiff = 16 << 20

    // MARK: Status

    func status() async throws(GitFailure) -> GitStatusReport {
        async let operation = files.operation(in: repository.gitDirectory)
        var status = try await bareStatus(mostOutput: Self.mostShown)
        let lists = (staged: status.staged, unstaged: status.unstaged)
        async let staged = counts(of: lists.staged, ["diff", "--cached"])
        // `git diff` would look at every file a second time.
        async let unstaged = counts(of: lists.unstaged, ["diff-files"])
        status.count(staged: await staged, unstaged: await unstaged)
        return GitStatusReport(status: status, operation: await operation, root: repository.root)
    }

    /// The same without numbers of lines, for who only counts files.
    func watchedStatus() async throws(GitFailure) -> GitStatusReport {
        let status = try await bareStatus(mostOutput: Self.mostShown)
        let operation = await files.operation(in: repository.gitDirectory)
        return GitStatusReport(status: status, operation: operation, root: repository.root)
    }

    /// The status without numbers of lines.
    /// - Parameter paths: Of which alone; empty for all of the workspace.
    func bareStatus(
        of paths: [GitPath] = [], mostOutput: Int = GitReader.mostListed
    ) async throws(GitFailure) -> GitStatus {
        let words: [GitWord] = [
            "status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all", "--ignore-submodules=dirty",
        ]
        let prefix = repository.prefix
        let places = paths.map { GitWord($0) }
        let output = try await repository.read(
            words + (places.isEmpty ? (prefix.isEmpty ? [] : ["--", "."]) : ["--"] + places),
            mostOutput: mostOutput)
        guard !output.isCut else {
            throw .refused(GitProblem(.other, "the list of changes is longer than \(mostOutput >> 20) MiB"))
        }
        return GitStatus(porcelain: output.output, prefix: prefix)
    }

    /// Numbers of lines are an extra: where they cannot be had in time, or of too many files, the list comes without.
    private func counts(of entries: [GitStatus.Entry], _ command: [GitWord]) async -> [GitPath: GitLineCount] {
        guard (1...Self.mostCounted).contains(entries.count) else { return [:] }
        // A rename is told by both its names.
        let isShort = entries.count <= Self.mostNamed && entries.allSatisfy { $0.oldPath == nil }
        let paths = isShort ? entries.map { GitWord($0.path) } : []
        let words = command + ["--numstat", "-z", "--relative"] + Self.diffOptions + ["--"] + paths
        let output = try? await repository.read(words, mostOutput: Self.mostShown)
        return output.map { GitNumstat.counts($0.output) } ?? [:]
    }

    /// The most paths that a command is given; of more it looks at all.
    private static let mostNamed = 200

    /// The paths with conflicts.
    func conflicts() async throws(GitFailure) -> [GitPath] {
        try await bareStatus().conflicted.map(\.path)
    }

    // MARK: Differences

    func diff(_ query: GitDiffQuery) async throws(GitFailure) -> GitDiffReport {
        if let path = query.path, path.isSensitive, !query.showsSensitive {
            return GitDiffReport(patch: [], isCut: false, isNew: false, hidden: [path])
        }
        let options: [GitWord] = query.isStaged ? ["--cached"] : []
        let words = ["diff", "--patch", "--relative"] + Self.diffOptions + options + ["--"]
        let output = try await repository.read(
            words + (query.path.map { [GitWord($0)] } ?? []), mostOutput: Self.mostDiff)
        if output.output.isEmpty, !query.isStaged, let path = query.path, let patch = try await newFile(path, query) {
            return GitDiffReport(patch, isCut: false, showsSensitive: query.showsSensitive, limit: query.limit)
        }
        return GitDiffReport(
            GitPatch(output.output), isCut: output.isCut, showsSensitive: query.showsSensitive, limit: query.limit)
    }

    /// The difference of a file that git does not know. Git itself would ask the filters for it.
    private func newFile(_ path: GitPath, _ query: GitDiffQuery) async throws(GitFailure) -> GitPatch? {
        let listed = try await repository.read(["ls-files", "--others", "-z", "--", GitWord(path)])
        guard listed.output.dropLast().elementsEqual(path.bytes) else { return nil }
        guard let file = await files.file(path, below: repository.directory, limit: query.limit) else { return nil }
        return GitPatch(GitNewFile.patch(path, file))
    }

    // MARK: Branches

    func branches() async throws(GitFailure) -> GitBranchReport {
        async let head = Result.of { () async throws(GitFailure) in try await current() }
        let output = try await repository.read(
            ["for-each-ref", "--format=\(GitBranch.format)", "refs/heads", "refs/remotes"],
            mostOutput: Self.mostShown)
        let branches = GitBranch.list(output.output)
        let checkedOut = try await head.get()
        guard let name = checkedOut, branches.first(where: \.isCurrent)?.upstream != nil else {
            return GitBranchReport(current: checkedOut, branches: branches)
        }
        // 128: the upstream has no commit here.
        let range = GitWord("refs/heads/\(name)...\(name)@{upstream}")
        let counted = try await repository.read(
            ["rev-list", "--left-right", "--count", range, "--"], statuses: [0, 128])
        let counts = counted.text.split(separator: "\t").compactMap { Int($0) }
        return GitBranchReport(
            current: checkedOut, branches: branches, ahead: counts.first ?? 0, behind: counts.last ?? 0)
    }

    /// The branch that is checked out, which may have no commit yet; `nil` if none is.
    func current() async throws(GitFailure) -> String? {
        let output = try await repository.read(["symbolic-ref", "--quiet", "HEAD"], statuses: [0, 1])
        guard output.status == 0, output.text.hasPrefix(GitBranch.localPrefix) else { return nil }
        return String(output.text.dropFirst(GitBranch.localPrefix.count))
    }

    // MARK: Commits

    func log(_ query: GitLogQuery) async throws(GitFailure) -> GitLogPage {
        if query.revision == nil, try await commit("HEAD") == nil { return GitLogPage(commits: [], hasMore: false) }
        let commit = try await known(query.revision ?? "HEAD")
        let words: [GitWord] = [
            "log", "-z", "--format=\(GitCommit.format)", "--encoding=UTF-8", "--no-show-signature", "--no-color",
            "--max-count=\(query.limit + 1)", "--skip=\(query.offset)", "\(commit)", "--",
        ]
        let output = try await repository.read(
            words + (query.path.map { [GitWord($0)] } ?? []), mostOutput: Self.mostDiff)
        let commits = GitCommit.list(output.output)
        return GitLogPage(
            commits: Array(commits.prefix(query.limit)), hasMore: commits.count > query.limit || output.isCut)
    }

    func show(_ query: GitShowQuery) async throws(GitFailure) -> GitCommitReport {
        let id = try await known(query.revision)
        let fixed = ["show", "--encoding=UTF-8", "--no-show-signature"] + Self.diffOptions
        // A merge is compared with its first parent. What lies beside the workspace is not shown.
        let whole = fixed + ["--relative", "--format=", "--diff-merges=first-parent", GitWord(id)]
        async let commit = repository.attempt(
            fixed + ["-z", "--no-patch", "--format=\(GitCommit.format)", GitWord(id)], mostOutput: Self.mostDiff)
        async let names = repository.attempt(whole + ["--name-status", "-z"], mostOutput: Self.mostShown)
        async let numbers = repository.attempt(whole + ["--numstat", "-z"], mostOutput: Self.mostShown)
        let patch = try await repository.read(whole + ["--patch"], mostOutput: Self.mostDiff)
        guard let found = GitCommit.list(try await commit.get().output).first else {
            throw .refused(GitProblem(.other, "git does not show the commit \(id)"))
        }
        var files = GitChangedFile.list(try await names.get().output)
        let counts = GitNumstat.counts(try await numbers.get().output)
        for index in files.indices { files[index].lines = counts[files[index].path] }
        return GitCommitReport(
            commit: found, files: files,
            diff: GitDiffReport(
                GitPatch(patch.output), isCut: patch.isCut, showsSensitive: query.showsSensitive, limit: query.limit))
    }

    /// The id of the commit that a name stands for; `nil` if there is none. The name goes through standard input, so it
    /// is never an option.
    func commit(_ name: String) async throws(GitFailure) -> String? {
        guard !name.isEmpty, !name.utf8.contains(10), !name.utf8.contains(0) else { return nil }
        let output = try await repository.read(
            ["cat-file", "--batch-check"], input: Array("\(name)^{commit}\n".utf8))
        let words = output.text.split(separator: " ")
        return words.count == 3 && words[1] == "commit" ? String(words[0]) : nil
    }

    private func known(_ name: String) async throws(GitFailure) -> String {
        guard let id = try await commit(name) else {
            throw .refused(
                GitProblem(.unknownName, "there is no branch, tag or commit \"\(name.prefix(80))\" in this repository"))
        }
        return id
    }

    func stashes() async throws(GitFailure) -> [GitStash] {
        guard try await commit("refs/stash") != nil else { return [] }
        let output = try await repository.read(
            [
                "log", "-g", "-z", "--format=\(GitStash.format)", "--encoding=UTF-8", "--no-show-signature",
                "refs/stash", "--",
            ],
            mostOutput: Self.mostDiff)
        return GitStash.list(output.output)
    }
}

extension GitDiffReport {
    /// The sections that the caller may see, up to `limit` bytes, cut at the end of a line.
    init(_ patch: GitPatch, isCut: Bool, showsSensitive: Bool, limit: Int) {
        let shown = patch.sections.filter { showsSensitive || !$0.isSensitive }
        var bytes: [UInt8] = []
        for section in shown where bytes.count <= limit { bytes += section.bytes }
        let isLong = bytes.count > limit
        if isLong { bytes = Array(bytes[..<limit]) }
        if isLong || isCut { bytes.removeLast(bytes.reversed().prefix { $0 != 10 }.count) }
        self.init(
            patch: bytes, isCut: isLong || isCut,
            isNew: !patch.sections.isEmpty && patch.sections.allSatisfy(\.isNew),
            hidden: showsSensitive ? [] : patch.sections.filter(\.isSensitive).flatMap(\.paths))
    }
}
