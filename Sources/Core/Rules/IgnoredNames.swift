/// The plain names of an ignore file. Lines with a path, a glob or a `!` are not among them.
struct IgnoredNames {
    private var anything: Set<String> = []
    /// Names with `/` behind them, which mean directories only.
    private var directories: Set<String> = []
    /// Hidden names that a search does not leave out, as a line with `!` names them.
    fileprivate(set) var takenBack: Set<String> = []

    init() {}

    init(in text: String) {
        for line in text.pieces(at: "\n") {
            let isDirectory = line.utf8.last == UInt8(ascii: "/")
            let name = isDirectory ? line.dropLast() : line
            guard !name.isEmpty,
                name.utf8.allSatisfy({ ShellCharacters.isFirstWord($0) && $0 != UInt8(ascii: "/") })
            else { continue }
            if isDirectory { directories.insert(String(name)) } else { anything.insert(String(name)) }
        }
    }

    func holds(_ entry: DirectoryEntry) -> Bool {
        anything.contains(entry.name) || (entry.kind == .directory && directories.contains(entry.name))
    }

    func mentions(_ name: String) -> Bool { anything.contains(name) || directories.contains(name) }
}

extension Ground {
    private static let longestIgnoreFile = 65_536

    /// Plain names in the root's own `.gitignore`: git leaves them out, and they hold most of what lies in a project.
    func readIgnoredNames() -> IgnoredNames {
        // What is taken back, or stands for more than a name everywhere, is looked through.
        guard let text = ownIgnoreFile, !Self.takesBack(text) else { return IgnoredNames() }
        return IgnoredNames(in: text)
    }

    /// The names that ripgrep leaves out beside hidden ones; nil where an ignore file may take back any.
    func readNamesLeftOut() -> IgnoredNames? {
        guard !isOpenedFromAbove else { return nil }
        guard let text = textOfOwnIgnoreFiles else { return nil }
        var names = IgnoredNames(in: text)
        for line in text.pieces(at: "\n") where Self.takesBack(String(line)) {
            guard let last = PathText.components(String(line)).last?.drop(while: { $0 == UInt8(ascii: "!") }),
                !last.isEmpty, last.allSatisfy(ShellCharacters.isFirstWord), !names.mentions(String(Substring(last))),
                !SensitiveNames.isSensitive(component: last)
            else { return nil }
            if last.first == UInt8(ascii: ".") { names.takenBack.insert(String(decoding: last, as: UTF8.self)) }
        }
        return names
    }

    /// Nil where one cannot be read.
    private var textOfOwnIgnoreFiles: String? {
        var text = ""
        for name in Self.ignoreFiles where isThere(name, in: root.path) && (name != ".gitignore" || isInRepository) {
            guard let more = self.text(ofIgnoreFile: name, in: root.path) else { return nil }
            text += more + "\n"
        }
        return text
    }

    /// A line of the root's ignore files, or one above it, may take back `.git`, which ripgrep leaves out as a hidden name only.
    func readOpensRepositories() -> Bool {
        guard !isOpenedFromAbove, let text = textOfOwnIgnoreFiles else { return true }
        return Self.takesBackGit(text)
    }

    /// The same for a directory and those between it and the root, too.
    func opensRepositories(upFrom directory: String) -> Bool {
        opensRepositories || isSomewhere(upFrom: directory, takesBackGit(at:))
    }

    /// The same for the ignore files of this very directory.
    func opensRepositories(in directory: String, _ entries: [DirectoryEntry]) -> Bool {
        !PathText.same(directory, root.path) && entries.contains { Self.ignoreFiles.contains($0.name) }
            && takesBackGit(at: directory)
    }

    private func takesBackGit(at directory: String) -> Bool {
        Self.ignoreFiles.contains { name in
            isThere(name, in: directory) && (text(ofIgnoreFile: name, in: directory).map(Self.takesBackGit) ?? true)
        }
    }

    private static func takesBackGit(_ text: String) -> Bool {
        text.pieces(at: "\n").contains { line in
            let line = String(line)
            guard takesBack(line) else { return false }
            return mayStand(forGit: PathText.components(String(line.drop { "!\u{FEFF}".contains($0) })).last)
        }
    }

    /// By what is plain at its ends.
    private static func mayStand(forGit pattern: Substring.UTF8View?) -> Bool {
        guard let pattern else { return true }
        let git = ".git".utf8
        let isPlain = { (byte: UInt8) in !"*?[]{}\\ ".utf8.contains(byte) }
        let start = pattern.prefix(while: isPlain)
        let end = pattern.reversed().prefix(while: isPlain)
        guard start.count < pattern.count else { return SensitiveNames.folded(pattern).elementsEqual(git) }
        return git.starts(with: start) && git.reversed().starts(with: end)
    }

    /// It takes the ignore files of all directories above, too, but `.gitignore` only up to the top of the work tree.
    private var isOpenedFromAbove: Bool {
        var directory = root.path
        var files = Self.ignoreFiles[...]
        while !PathText.same(directory, "/"), PathText.isAbsolute(directory) {
            if isThere(".git", in: directory) { files = Self.ignoreFiles.dropFirst() }
            directory = PathText.directory(of: directory)
            if takesBack(at: directory, by: files) { return true }
        }
        return false
    }

    /// As ripgrep sees it: a `.git` that exists, here or above. A bare repository is none.
    private var isInRepository: Bool {
        var directory = root.path
        while PathText.isAbsolute(directory) {
            if disk.kind(of: PathText.join(directory, ".git")) != .missing { return true }
            guard !PathText.same(directory, "/") else { break }
            directory = PathText.directory(of: directory)
        }
        return false
    }

    /// The first counts in repositories only.
    private static let ignoreFiles = [".gitignore", ".ignore", ".rgignore"]

    private func isThere(_ name: String, in directory: String) -> Bool {
        disk.entry(at: PathText.join(directory, name)) != .missing
    }

    /// Links are followed, as ripgrep does. Nil for what is too large or no text.
    private func text(ofIgnoreFile name: String, in directory: String) -> String? {
        disk.text(of: PathText.join(directory, name), limit: Self.longestIgnoreFile)
    }

    /// An ignore file of this very directory may take names back.
    private func takesBack(at directory: String) -> Bool { takesBack(at: directory, by: Self.ignoreFiles[...]) }

    private func takesBack(at directory: String, by files: ArraySlice<String>) -> Bool {
        files.contains { name in
            isThere(name, in: directory)
                && (text(ofIgnoreFile: name, in: directory).map { Self.takesBack($0) } ?? true)
        }
    }

    private var ownIgnoreFile: String? {
        // A link there git does not follow.
        let path = PathText.join(root.path, ".gitignore")
        return disk.entry(at: path) == .plain ? disk.text(of: path, limit: Self.longestIgnoreFile) : nil
    }

    /// A `.gitignore` between here and the root may take back what the root's leaves out.
    func takesBack(in directory: String) -> Bool {
        isSomewhere(upFrom: directory, takesBack(at:))
    }

    /// True where a file of this directory may take back hidden or ignored names, or a repository of its own lies there, for
    /// which the root's `.gitignore` does not count.
    func opensSearch(in directory: String, _ entries: [DirectoryEntry]) -> Bool {
        guard !PathText.same(directory, root.path) else { return false }
        return entries.contains { entry in
            Self.repositories.contains(entry.name)
                || (Self.ignoreFiles.contains(entry.name) && takesBack(at: directory))
        }
    }

    /// The same for this directory or one between it and the root.
    func opensSearch(upFrom directory: String) -> Bool {
        isSomewhere(upFrom: directory) { directory in
            Self.repositories.contains { isThere($0, in: directory) } || takesBack(at: directory)
        }
    }

    /// What is a repository of its own to ripgrep.
    private static let repositories = [".git", ".jj"]

    /// True where it is so of a directory or of one above it, without the root.
    private func isSomewhere(upFrom directory: String, _ isSo: (String) -> Bool) -> Bool {
        var directory = directory
        while !PathText.same(directory, root.path), PathText.contains(root.path, directory) {
            if isSo(directory) { return true }
            directory = PathText.directory(of: directory)
        }
        return false
    }

    /// Git passes over a byte order mark at the start.
    private static func takesBack(_ text: String) -> Bool {
        text.pieces(at: "\n").contains { line in
            line.utf8.first == UInt8(ascii: "!") || line.utf8.starts(with: "\u{FEFF}!".utf8)
        }
    }
}
