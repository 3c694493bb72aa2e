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

    /// The names that ripgrep leaves out beside hidden ones; nil where an ignore file of the root may take back any.
    func readNamesLeftOut() -> IgnoredNames? {
        guard !isOpenedFromAbove else { return nil }
        guard repository != nil, isThere(".gitignore", in: root.path) else { return IgnoredNames() }
        // Ripgrep follows a link, and reads what is too large for us or no text.
        guard let text = ownIgnoreFile else { return nil }
        var names = IgnoredNames(in: text)
        for line in text.pieces(at: "\n") where Self.takesBack(String(line)) {
            guard let last = PathText.components(String(line)).last?.drop(while: { $0 == UInt8(ascii: "!") }),
                last.allSatisfy(ShellCharacters.isFirstWord), !names.mentions(String(Substring(last))),
                !SensitiveNames.isSensitive(component: last)
            else { return nil }
            if last.first == UInt8(ascii: ".") { names.takenBack.insert(String(decoding: last, as: UTF8.self)) }
        }
        return names
    }

    /// Ripgrep takes the ignore files of all directories above, too, and `.gitignore` up to the top of the work tree.
    private var isOpenedFromAbove: Bool {
        var directory = root.path
        while PathText.isAbsolute(directory) {
            if [".ignore", ".rgignore"].contains(where: { isThere($0, in: directory) }) { return true }
            if !PathText.same(directory, root.path), takesBack(at: directory) { return true }
            guard !PathText.same(directory, "/") else { return false }
            directory = PathText.directory(of: directory)
        }
        return false
    }

    private func isThere(_ name: String, in directory: String) -> Bool {
        disk.entry(at: PathText.join(directory, name)) != .missing
    }

    /// The `.gitignore` of this very directory may take names back.
    private func takesBack(at directory: String) -> Bool {
        guard isThere(".gitignore", in: directory) else { return false }
        let text = disk.text(of: PathText.join(directory, ".gitignore"), limit: Self.longestIgnoreFile)
        return text.map(Self.takesBack) ?? true
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
            Self.openers.contains(entry.name) || (entry.name == ".gitignore" && takesBack(at: directory))
        }
    }

    /// The same for this directory or one between it and the root.
    func opensSearch(upFrom directory: String) -> Bool {
        isSomewhere(upFrom: directory) { directory in
            Self.openers.contains { isThere($0, in: directory) } || takesBack(at: directory)
        }
    }

    private static let openers = [".git", ".ignore", ".rgignore"]

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
