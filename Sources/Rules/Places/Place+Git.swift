/// Checks of the repository and the remotes that git finds from a directory.
extension Place {
    /// The remote that git would contact, for the key: its name and its addresses, so that a rule ends where another is
    /// written there. Throws unless the remote is safe. Without a name it has to be certain which one git chooses.
    ///
    /// The remote must be configured in the root's own repository and must not be a path, which git would prefer: a
    /// repository planted there can run any command.
    func remote(named name: String?, isPush: Bool) throws(Refusal) -> [String] {
        guard let settings = root.gitSettings, let name = name ?? settings.onlyDefault else {
            throw .remote(name ?? "")
        }
        let isOurs = { [root] (path: String) in
            let found = root.disk.resolve(path, from: root.resolved.path)
            return !found.isCertain || root.contains(found)
        }
        guard WordShapes.isRemote(name),
            let addresses = settings.addresses(of: name, isPush: isPush, isOurs: isOurs)
        else { throw .remote(name) }
        if isPush, settings.hasOwnRefspecs { throw .remote(name) }
        // A fetch contacts the remotes of submodules too, unless `.gitmodules` and several settings agree that it does not;
        // a push does if the settings say so.
        if !isPush || settings.pushesSubmodules, root.hasSubmodules { throw .remote(name) }
        for directory in [resolved.path, root.resolved.path] {
            for suffix in ["", ".git", ".bundle"] {
                guard root.disk.kind(of: PathText.join(directory, name + suffix)) == .missing else {
                    throw .remote(name)
                }
            }
        }
        return [name] + addresses
    }

    /// Throws where git may run hooks that a commit brings, or commit files of a work tree that is larger than the
    /// root.
    func checkReach(of row: CommandRow, _ words: [ShellWord]) throws(Refusal) {
        if row.start != "git pull", row.bringsFiles(words) {
            guard root.gitSettings?.hasOtherHooks == false, !root.hasHooks else { throw .repository }
        }
        if row.start == "git push", root.gitSettings?.pushesMatching == true {
            let named = words.filter { $0.value.utf8.first != UInt8(ascii: "-") }
            guard named.count > Self.wordsWithoutBranch else { throw .remote(named.last?.value ?? "") }
        }
        if row.start == "git commit", !root.isTopOfWorkTree, words.contains(where: Self.isAll) { throw .repository }
    }

    /// `git push origin`
    private static let wordsWithoutBranch = 3

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

    /// True if the repository may have submodules.
    fileprivate var hasSubmodules: Bool {
        let places =
            [PathText.join(resolved.path, ".gitmodules")]
            + [commonDirectory.map { PathText.join($0, "modules") }].compactMap(\.self)
        return places.contains { disk.kind(of: $0) != .missing }
    }

    private static let longestSettings = 65_536
    private static let longestPointer = 4096

    /// The settings of the repository whose work tree begins at the root, with what the user's own say about remotes; nil
    /// where there is none or they cannot be read.
    func readGitSettings() -> GitSettings? {
        guard resolved.isCertain, isTopOfWorkTree, let directories = gitDirectories(of: resolved.path),
            var text = disk.text(of: PathText.join(directories.common, "config"), limit: Self.longestSettings)
        else { return nil }
        let ofWorkTree = PathText.join(directories.own, "config.worktree")
        if disk.kind(of: ofWorkTree) != .missing {
            guard let more = disk.text(of: ofWorkTree, limit: Self.longestSettings) else { return nil }
            text += "\n" + more
        }
        guard var settings = GitSettings(text), addUsersSettings(to: &settings) else { return nil }
        return settings
    }

    /// Returns false where the user's own settings cannot be read, or say more about remotes than is understood.
    private func addUsersSettings(to settings: inout GitSettings) -> Bool {
        // Where variables name others, it is not certain which of them git reads.
        var waiting = context.gitFiles.map { ($0, !context.furtherGitFiles.isEmpty) }
        var left = Self.mostIncluded
        while let (path, isIncluded) = waiting.popLast() {
            guard disk.kind(of: path) != .missing else { continue }
            left -= 1
            guard left > 0, let text = disk.text(of: path, limit: Self.longestSettings),
                settings.addUsers(text, isIncluded: isIncluded)
            else { return false }
            for entry in GitEntries(text).list where entry.section.hasPrefix("include") && entry.key == "path" {
                let path = GitEntries.place(entry.value, from: PathText.directory(of: path), home: context.home)
                // Whether a condition holds is not asked.
                waiting.append((path, isIncluded || entry.section == "includeif"))
            }
        }
        return true
    }

    /// The most files of the user's own settings.
    private static let mostIncluded = 32

    /// The directory with the settings and hooks of the root's repository.
    var commonDirectory: String? {
        disk.entry(at: PathText.join(resolved.path, ".git")) == .missing
            ? nil : gitDirectories(of: resolved.path)?.common
    }

    /// The directory of a repository, and the one with its settings and hooks, which is another for a work tree made by `git
    /// worktree`, whose `.git` is a file. Nil where they cannot be told.
    /// - Parameter top: the top of the work tree, or a repository without one.
    func gitDirectories(of top: String) -> (own: String, common: String)? {
        let pointer = PathText.join(top, ".git")
        switch disk.kind(of: pointer) {
        case .directory: return (pointer, pointer)
        case .missing: return (top, top)
        default: break
        }
        guard let text = disk.text(of: pointer, limit: Self.longestPointer), text.utf8.starts(with: "gitdir: ".utf8)
        else { return nil }
        let own = disk.resolve(Self.line(text.dropFirst("gitdir: ".count)), from: top)
        guard own.isCertain else { return nil }
        guard let common = disk.text(of: PathText.join(own.path, "commondir"), limit: Self.longestPointer) else {
            return (own.path, own.path)
        }
        let found = disk.resolve(Self.line(common[...]), from: own.path)
        return found.isCertain ? (own.path, found.path) : nil
    }

    private static func line(_ text: Substring) -> String {
        String(decoding: text.utf8.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }
}
