/// What git finds from a directory.
extension Place {
    /// The remote that git would speak to: by its name, or by the settings where none is named.
    ///
    /// It has to be known to the settings of the root's own repository, and to be no path, which git would take first or
    /// instead: a repository planted there runs any command.
    func checkRemote(named name: String?) throws(Refusal) {
        guard let settings = ground.gitSettings else { throw .remote(name ?? "") }
        let isOurs = { [ground] (path: String) in
            let found = ground.disk.resolve(path, from: ground.root.path)
            return !found.isCertain || ground.contains(found)
        }
        guard let name else {
            guard settings.reachesDefaults(isOurs: isOurs) else { throw .remote("") }
            return
        }
        guard WordShapes.isRemote(name), settings.reaches(name, isOurs: isOurs) else { throw .remote(name) }
        for directory in [resolved.path, ground.root.path] {
            for suffix in ["", ".git", ".bundle"] {
                guard ground.disk.kind(of: PathText.join(directory, name + suffix)) == .missing else {
                    throw .remote(name)
                }
            }
        }
    }

    /// It starts no hooks that a commit brings, and takes nothing of a work tree that is larger than the root.
    func checkReach(of row: CommandRow, _ words: [ShellWord]) throws(Refusal) {
        if row.start != "git pull", row.bringsFiles(words) {
            guard ground.gitSettings?.hasOtherHooks == false, !ground.hasHooks else { throw .repository }
        }
        if row.start == "git commit", !ground.isTopOfWorkTree, words.contains(where: Self.isAll) { throw .repository }
    }

    /// `-a`, also in a bundle.
    private static func isAll(_ word: ShellWord) -> Bool {
        let value = word.value.utf8
        return value.elementsEqual("--all".utf8)
            || value.first == UInt8(ascii: "-") && !value.starts(with: "--".utf8) && value.contains(UInt8(ascii: "a"))
    }
}

extension Ground {
    /// Hooks that git starts, of this step or of one that follows: most call what the tree holds by then. Samples are none.
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

    /// The settings of the repository whose work tree the root is the top of; nil where they cannot be told.
    func readGitSettings() -> GitSettings? {
        guard root.isCertain, isTopOfWorkTree, let commonDirectory else { return nil }
        return disk.text(of: PathText.join(commonDirectory, "config"), limit: Self.longestSettings)
            .flatMap(GitSettings.init)
    }

    /// Where the root's repository has its settings and hooks.
    var commonDirectory: String? {
        let own = PathText.join(root.path, ".git")
        return disk.kind(of: own) == .directory ? own : linkedRepository(own)
    }

    /// Where a work tree of `git worktree`, whose `.git` is a file, has its settings.
    private func linkedRepository(_ pointer: String) -> String? {
        guard let text = disk.text(of: pointer, limit: Self.longestPointer), text.utf8.starts(with: "gitdir: ".utf8)
        else { return nil }
        let own = disk.resolve(Self.line(text.dropFirst(8)), from: root.path)
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
