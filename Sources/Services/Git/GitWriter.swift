import Core

/// Changes one repository, on this machine only. Its hooks and filters run, as at the terminal.
struct GitWriter: Sendable {
    let repository: GitRepository
    let reader: GitReader

    private static let fromInput: [GitWord] = ["--pathspec-from-file=-", "--pathspec-file-nul"]

    // MARK: Files

    func stage(_ paths: [GitPath]) async throws(GitFailure) {
        // Git passes over them without a word.
        if let own = paths.first(where: \.isGitsOwn) {
            throw .invalid("\"\(own.text)\" is a file of git itself, which cannot be staged")
        }
        _ = try await repository.write(["add"] + Self.fromInput, paths: paths)
    }

    func unstage(_ paths: [GitPath]) async throws(GitFailure) {
        _ = try await repository.write(["reset", "--quiet"] + Self.fromInput, paths: paths)
    }

    /// Tracked files become as they are staged. An untracked file is deleted if it is named itself, never because a
    /// directory is named that holds it.
    func discard(_ paths: [GitPath]) async throws(GitFailure) -> GitDiscarded {
        let status = try await reader.bareStatus(of: paths)
        let conflicts = status.conflicted.map(\.path)
        guard conflicts.isEmpty else {
            throw .refused(
                GitProblem(
                    .conflict, "these files have conflicts; resolve them and stage the files, or abort the merge",
                    conflicted: conflicts))
        }
        let restored = status.unstaged.filter { !$0.isSubmodule }.map(\.path)
        let named = Set(paths)
        let deleted = status.untracked.map(\.path).filter(named.contains)
        guard !restored.isEmpty || !deleted.isEmpty else {
            throw .refused(
                GitProblem(
                    .nothingToDo,
                    "nothing to discard: these paths have no unstaged changes; staged ones have to be unstaged first, and an "
                        + "untracked file has to be named itself"))
        }
        if !restored.isEmpty {
            _ = try await repository.write(["restore", "--worktree"] + Self.fromInput, paths: restored)
        }
        for some in deleted.slices(of: Self.mostNamed) {
            _ = try await repository.write(
                ["clean", "--force", "--quiet", "--"] + some.map { GitWord($0) }, paths: [])
        }
        return GitDiscarded(restored: restored, deleted: deleted)
    }

    /// Paths of one run whose paths are arguments: the system takes 128 KiB of each, and 2 MiB in all.
    private static let mostNamed = 200

    // MARK: Commits

    func commit(_ message: String) async throws(GitFailure) -> GitCommitted {
        let output = try await committed(message)
        guard let id = try await reader.commit("HEAD") else {
            throw .refused(GitProblem(.other, "git made a commit, but HEAD leads to none"))
        }
        let names = try await repository.read(
            [
                "show", "--format=", "--name-only", "-z", "--diff-merges=first-parent", "--no-ext-diff",
                "--no-textconv", "\(id)",
            ],
            mostOutput: 128 << 20)
        return GitCommitted(
            id: id, files: names.output.count { $0 == 0 }, output: GitText.plain(output.errors + output.output))
    }

    private func committed(_ message: String) async throws(GitFailure) -> GitOutput {
        do throws(GitFailure) {
            return try await repository.write(["commit", "--file=-"], input: Array(message.utf8))
        } catch {
            // Git says nothing itself where a hook refuses.
            guard case .refused(let problem) = error, problem.kind == .other, !problem.isGitsOwn else {
                throw error
            }
            throw .refused(
                GitProblem(
                    .hook, "a hook of the repository refused the commit; its words are in \"output\"",
                    output: problem.output))
        }
    }

    // MARK: Branches

    func checkout(_ name: String, create: Bool) async throws(GitFailure) -> GitCheckedOut {
        guard !name.isEmpty, !name.utf8.contains(0), !name.utf8.contains(10) else {
            throw .invalid("\"branch\" cannot be the name of a branch")
        }
        if create {
            guard name.utf8.first != UInt8(ascii: "-") else {
                throw .invalid("\"branch\" must not begin with \"-\": git takes such a name for an option")
            }
            return try await switched(["--create", GitWord(name)], to: name, isNew: true)
        }
        let references = try await references(name)
        if references.contains(GitBranch.localPrefix + name) {
            return try await switched(["--no-guess", "--", GitWord(name)], to: name)
        }
        // A remote's branch is checked out as the branch of this repository that follows it.
        let remote = GitBranch.remotePrefix + name
        if references.contains(remote), let local = name.utf8.firstIndex(of: UInt8(ascii: "/")) {
            let own = String(name[name.utf8.index(after: local)...])
            if try await self.references(own).contains(GitBranch.localPrefix + own) {
                return try await switched(["--no-guess", "--", GitWord(own)], to: own)
            }
            return try await switched(
                ["--create", GitWord(own), "--track", GitWord(remote)], to: own, isNew: true)
        }
        return try await switched(["--guess", "--", GitWord(name)], to: name)
    }

    private func switched(
        _ words: [GitWord], to branch: String, isNew: Bool = false
    ) async throws(GitFailure) -> GitCheckedOut {
        do throws(GitFailure) {
            let output = try await repository.write(["switch"] + words)
            // Words such as "-" stand for a branch.
            let name = (try? await reader.current()) ?? branch
            return GitCheckedOut(branch: name, isNew: isNew, output: GitText.plain(output.errors + output.output))
        } catch {
            guard case .refused(let problem) = error, problem.kind == .overwrites else { throw error }
            throw .refused(
                GitProblem(.overwrites, "Cannot switch branches: \(problem.message)", output: problem.output))
        }
    }

    /// Those of the local and the remote branch of this name that exist.
    private func references(_ name: String) async throws(GitFailure) -> Set<String> {
        let output = try await repository.read([
            "for-each-ref", "--format=%(refname)", "--", "refs/heads/\(name)", "refs/remotes/\(name)",
        ])
        return Set(output.text.split(separator: "\n").map(String.init))
    }

    func delete(branch name: String, force: Bool) async throws(GitFailure) -> GitDone {
        _ = try await repository.write(["branch", force ? "-D" : "-d", "--", GitWord(name)])
        return GitDone(message: "Deleted branch '\(name)'")
    }

    // MARK: Stashes

    func stash(_ order: GitStashOrder) async throws(GitFailure) -> GitDone {
        switch order {
        case .push(let message, let untracked):
            let words: [GitWord] = untracked ? ["--include-untracked"] : []
            let output = try await repository.write(
                ["stash", "push"] + words + (message.map { ["--message=\($0)"] } ?? []))
            guard !output.text.hasPrefix("No local changes") else {
                throw .refused(GitProblem(.nothingToDo, "nothing to stash: there are no changes of tracked files"))
            }
            return GitDone(message: "Stashed the changes", output: GitText.plain(output.errors + output.output))
        case .apply(let target): return try await take("apply", target, "Applied")
        case .drop(let target): return try await take("drop", target, "Dropped")
        case .pop(let target): return try await take("pop", target, "Applied and dropped")
        }
    }

    private func take(_ verb: String, _ target: GitStashOrder.Target, _ done: String) async throws(GitFailure)
        -> GitDone
    {
        let name = "stash@{\(target.index)}"
        guard let id = try await reader.commit(name) else {
            throw .refused(GitProblem(.unknownName, "there is no \(name); ask for the list of stashes again"))
        }
        guard target.id == nil || target.id == id else {
            throw .refused(
                GitProblem(.unknownName, "\(name) is another stash by now, so nothing was done; ask for the list again")
            )
        }
        let before = try await reader.conflicts()
        do throws(GitFailure) {
            let output = try await repository.write(["stash", GitWord(verb), GitWord(name)])
            return GitDone(message: "\(done) \(name)", output: GitText.plain(output.errors + output.output))
        } catch {
            throw try await reader.conflict(
                behind: error, before: before, "Conflicts: the stash was applied and is kept")
        }
    }

    // MARK: Operations

    func abort(_ operation: GitOperation) async throws(GitFailure) -> GitOperation {
        guard operation != .bisect else { throw .invalid("a bisect is ended with git bisect reset at this machine") }
        _ = try await repository.write([GitWord(operation.rawValue), "--abort"])
        return operation
    }
}

extension GitReader {
    /// The failure with the paths that have conflicts now and had none `before`; the failure itself if there are none.
    func conflict(
        behind failure: GitFailure, before: [GitPath], _ message: String
    ) async throws(GitFailure) -> GitFailure {
        guard case .refused(let problem) = failure else { return failure }
        let paths = try await conflicts()
        guard !Set(paths).subtracting(before).isEmpty else { return failure }
        return .refused(GitProblem(.conflict, message, output: problem.output, conflicted: paths))
    }
}

extension Array {
    fileprivate func slices(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
