/// Checks of the repository and the remotes that git finds from a directory.
extension Place {
    /// Throws unless the remote that git would contact is safe. Without a name, every remote that git may choose is
    /// checked.
    ///
    /// The remote must be configured in the root's own repository and must not be a path, which git would prefer: a
    /// repository planted there can run any command.
    func checkRemote(named name: String?) throws(Refusal) {
        guard let settings = root.gitSettings else { throw .remote(name ?? "") }
        let isOurs = { [root] (path: String) in
            let found = root.disk.resolve(path, from: root.resolved.path)
            return !found.isCertain || root.contains(found)
        }
        guard let name else {
            guard settings.reachesDefaults(isOurs: isOurs) else { throw .remote("") }
            return
        }
        guard WordShapes.isRemote(name), settings.reaches(name, isOurs: isOurs) else { throw .remote(name) }
        for directory in [resolved.path, root.resolved.path] {
            for suffix in ["", ".git", ".bundle"] {
                guard root.disk.kind(of: PathText.join(directory, name + suffix)) == .missing else {
                    throw .remote(name)
                }
            }
        }
    }

    /// Throws where git may run hooks that a commit brings, or commit files of a work tree that is larger than the
    /// root.
    func checkReach(of row: CommandRow, _ words: [ShellWord]) throws(Refusal) {
        if row.start != "git pull", row.bringsFiles(words) {
            guard root.gitSettings?.hasOtherHooks == false, !root.hasHooks else { throw .repository }
        }
        if row.start == "git commit", !root.isTopOfWorkTree, words.contains(where: Self.isAll) { throw .repository }
    }

    /// True if the word is `--all`, or a bundle of letters with `a`.
    private static func isAll(_ word: ShellWord) -> Bool {
        let value = word.value.utf8
        return value.elementsEqual("--all".utf8)
            || value.first == UInt8(ascii: "-") && !value.starts(with: "--".utf8) && value.contains(UInt8(ascii: "a"))
    }
}

extension SessionRoot {
    /// True if the repository has hooks besides the samples, or if they cannot be listed. Most hooks run files of the
    /// work tree, which a command may have changed before.
    var hasHooks: Bool {
        guard let directory = commonDirectory else { return true }
        let hooks = PathText.join(directory, "hooks")
        switch disk.entry(at: hooks) {
        case .missing: return false
        case .plain: break
        default: return true
        }
        return disk.names(in: hooks)?.contains { !$0.hasSuffix(".sample") } ?? true
    }

    private static let longestSettings = 65_536
    private static let longestPointer = 4096

    /// The settings of the repository whose work tree begins at the root; nil where there is none or they cannot be
    /// read.
    func readGitSettings() -> GitSettings? {
        guard resolved.isCertain, isTopOfWorkTree, let commonDirectory else { return nil }
        return disk.text(of: PathText.join(commonDirectory, "config"), limit: Self.longestSettings)
            .flatMap(GitSettings.init)
    }

    /// The directory with the settings and hooks of the root's repository.
    var commonDirectory: String? {
        let own = PathText.join(resolved.path, ".git")
        return disk.kind(of: own) == .directory ? own : linkedRepository(own)
    }

    /// The directory with the settings of a work tree made by `git worktree`, whose `.git` is a file.
    private func linkedRepository(_ pointer: String) -> String? {
        guard let text = disk.text(of: pointer, limit: Self.longestPointer), text.utf8.starts(with: "gitdir: ".utf8)
        else { return nil }
        let own = disk.resolve(Self.line(text.dropFirst(8)), from: resolved.path)
        guard own.isCertain else { return nil }
        guard let common = disk.text(of: PathText.join(own.path, "commondir"), limit: Self.longestPointer) else {
            return own.path
        }
        let found = disk.resolve(Self.line(common[...]), from: own.path)
        return found.isCertain ? found.path : nil
    }

    private static func line(_ text: Substring) -> String {
        String(text.prefix { $0 != "\n" })
    }
}
