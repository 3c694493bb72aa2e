import Text

/// The files of a project that git starts by itself: scripts that its settings and hooks name, what lies in a directory of
/// hooks, and files that settings include; those of submodules, linked work trees and nested repositories as well.
///
/// Every value counts but those of settings known to hold no program: no list of those that hold one could be complete.
struct GitStarts {
    private(set) var texts = CommandTexts()
    /// Files and directories after links, without case: everything in them counts.
    private var places: [String] = []
    private var known: Set<String> = []
    private let root: SessionRoot
    /// The work tree from which git starts the programs of the settings that are being read.
    private var top: String

    /// The most files of settings, with those they include, and the most names in a directory of hooks. Of more, git may
    /// start any file.
    private static let most = 64
    /// The same for the submodules, for the linked work trees, and for the nested repositories.
    private static let mostRepositories = 100
    private var files = 0
    private var repositories = 0

    init(_ root: SessionRoot) {
        self.root = root
        top = root.repository ?? root.resolved.path
        for file in root.context.gitFiles { take(file) }
        for file in root.context.furtherGitFiles {
            // Beside `git/config` lie the attributes, which say to what filters apply.
            add(file.utf8.suffix(11).elementsEqual("/git/config".utf8) ? PathText.directory(of: file) : file)
        }
        guard root.repository != nil else { return }
        takeWorkTree(top)
        // An installation of the packages, which anybody may start, has git run these.
        for name in [".githooks", ".husky"] { takeFiles(in: PathText.join(top, name)) }
    }

    /// Those of the repositories that lie below the root, as far as it is searched. Whoever enters one, or has an editor show
    /// the state of all, has git start what they name.
    init(below root: SessionRoot) {
        self.root = root
        top = root.resolved.path
        for directory in root.nearTree.directories where directory.isRepository { takeNested(directory.path) }
    }

    /// Adds the repositories that contain the file, wherever they begin.
    mutating func takeRepositories(above path: String) {
        var directory = path
        while !PathText.same(directory, "/") {
            directory = PathText.directory(of: directory)
            let prefix = PathText.same(directory, "/") ? "" : directory
            if root.disk.isWorkTree(prefix) || root.disk.isBare(prefix) { takeNested(directory) }
        }
    }

    private mutating func takeNested(_ directory: String) {
        // Apart from what `takeFiles` knows: a directory of hooks may be a repository.
        guard !PathText.same(directory, root.repository ?? ""), known.insert(directory + "//").inserted else { return }
        repositories += 1
        if repositories > Self.mostRepositories { texts.startsAny = true }
        guard !texts.startsAny else { return }
        top = directory
        takeWorkTree(directory)
    }

    private mutating func takeWorkTree(_ directory: String) {
        guard let directories = root.gitDirectories(of: directory) else { return }
        takeRepository(directories.common)
        for name in ["config", "config.worktree"] { take(PathText.join(directories.own, name)) }
        takeWorkTrees(of: directories.common)
        takeModules(of: directories.common)
    }

    /// True if git may start the file.
    /// - Parameters:
    ///   - path: relative to the root if the file lies below it.
    ///   - absolute: the same file's.
    func start(_ path: Substring.UTF8View, at absolute: String) -> Bool {
        if texts.start(path) { return true }
        let folded = SensitiveNames.folded(path: absolute)
        return places.contains { PathText.contains($0, folded) }
    }

    /// Adds a file or directory of which everything counts.
    private mutating func add(_ place: String) {
        places.append(SensitiveNames.folded(path: root.resolve(place).path))
    }

    private mutating func take(_ path: String) {
        guard known.insert(path).inserted, root.disk.kind(of: path) == .file else { return }
        files += 1
        guard files <= Self.most + Self.mostRepositories,
            let text = root.disk.text(of: path, limit: DiskLookups.longestManifest)
        else {
            texts.startsAny = true
            return
        }
        for entry in GitEntries(text).list { take(entry, of: path) }
    }

    private mutating func take(_ entry: GitEntries.Entry, of file: String) {
        switch (entry.section, entry.key) {
        case ("include", "path"), ("includeif", "path"):
            let path = place(entry.value, from: PathText.directory(of: file))
            add(path)
            take(path)
        case ("core", "worktree"): top = place(entry.value, from: PathText.directory(of: file))
        case ("core", "hookspath"):
            let directory = place(entry.value, from: top)
            takeHooks(in: directory)
            // Husky's `_` holds programs that start those beside it.
            if directory.utf8.suffix(2).elementsEqual("/_".utf8) { takeFiles(in: PathText.directory(of: directory)) }
        case ("init", "templatedir"): add(place(entry.value, from: top))
        default:
            if Self.mayStart(entry) { texts.add(Array(Self.started(entry).utf8), isOfCommands: false) }
            // `[url "ext::…"]`
            if entry.name.holds("::") { texts.add(Array(entry.name.utf8), isOfCommands: false) }
        }
    }

    private func place(_ path: String, from directory: String) -> String {
        GitEntries.place(path, from: directory, home: root.context.home)
    }

    /// Takes a directory of hooks, and the directories in it, of which hooks often start everything: `pre-commit.d`.
    private mutating func takeHooks(in directory: String) {
        add(directory)
        for inner in takeFiles(in: directory) where !NearTree.passedOver.contains(inner) {
            takeFiles(in: PathText.join(directory, inner))
        }
    }

    /// Reads hooks as shells would: what is no text starts any file.
    /// - Returns: the names of the directories.
    @discardableResult
    private mutating func takeFiles(in directory: String) -> [String] {
        guard known.insert(directory + "/").inserted, root.disk.kind(of: directory) == .directory else { return [] }
        guard let entries = root.disk.entries(in: directory, atMost: Self.most) else {
            texts.startsAny = true
            return []
        }
        var directories: [String] = []
        for entry in entries where !entry.name.hasSuffix(".sample") {
            let path = PathText.join(directory, entry.name)
            // The target of a link counts also where there is nothing yet.
            if entry.kind == .link { add(path) }
            switch entry.kind == .directory ? .directory : root.disk.kind(of: path) {
            case .directory: directories.append(entry.name)
            case .file:
                guard let text = root.disk.text(of: path, limit: DiskLookups.longestManifest) else {
                    texts.startsAny = true
                    return []
                }
                texts.add(Array(text.utf8), isOfCommands: false)
            default: break
            }
        }
        return directories
    }

    // MARK: - Further repositories

    /// The repository's own files of settings, and its hooks.
    private mutating func takeRepository(_ directory: String) {
        for name in ["config", "config.worktree"] { take(PathText.join(directory, name)) }
        takeHooks(in: PathText.join(directory, "hooks"))
    }

    private mutating func takeWorkTrees(of common: String) {
        for name in directories(in: PathText.join(common, "worktrees")) {
            take(PathText.join(common, "worktrees/" + name + "/config.worktree"))
        }
    }

    /// Takes the submodules' repositories, and those of their own submodules. A submodule's name may have slashes, so that
    /// its repository lies deeper.
    private mutating func takeModules(of common: String) {
        var left = [PathText.join(common, "modules")]
        var count = 0
        while let next = left.popLast() {
            count += 1
            guard count <= Self.mostRepositories * 2 else {
                texts.startsAny = true
                return
            }
            if root.disk.kind(of: PathText.join(next, "HEAD")) == .file
                || root.disk.kind(of: PathText.join(next, "config")) == .file
            {
                let outer = top
                takeRepository(next)
                top = outer
                takeWorkTrees(of: next)
                left.append(PathText.join(next, "modules"))
            } else {
                left += directories(in: next).map { PathText.join(next, $0) }
            }
        }
    }

    /// The names of a directory's directories.
    private mutating func directories(in directory: String) -> [String] {
        guard root.disk.kind(of: directory) == .directory else { return [] }
        guard let entries = root.disk.entries(in: directory, atMost: Self.mostRepositories) else {
            texts.startsAny = true
            return []
        }
        return entries.filter { $0.kind != .other }.map(\.name)
    }

    // MARK: - Settings without a program

    /// Sections of which no value is a program: names, texts and colours.
    private static let plainSections: Set<String> = ["author", "branch", "color", "committer", "extensions", "user"]
    /// Settings of a remote or a submodule that are addresses and names. An address runs a program only as `NAME::…`.
    private static let addresses: Set<String> = [
        "active", "branch", "fetch", "insteadof", "path", "push", "pushinsteadof", "pushurl", "url",
    ]
    private static let ofAddresses: Set<String> = ["remote", "submodule", "url"]

    private static func mayStart(_ entry: GitEntries.Entry) -> Bool {
        if entry.value.holds("::") { return true }
        if plainSections.contains(entry.section) { return false }
        return !(ofAddresses.contains(entry.section) && addresses.contains(entry.key))
    }

    /// The part of a value that may be a command. In an alias that does not begin with `!` options are git's own, so that no
    /// script need stand behind one; a script there has a directory, or a program in front (`rebase --exec tools/check`).
    private static func started(_ entry: GitEntries.Entry) -> String {
        guard entry.section == "alias", entry.value.utf8.first != UInt8(ascii: "!") else { return entry.value }
        let words = entry.value.split(separator: " ")
        return words.filter { $0.utf8.first != UInt8(ascii: "-") || $0.utf8.contains { "=/".utf8.contains($0) } }
            .joined(separator: " ")
    }
}
