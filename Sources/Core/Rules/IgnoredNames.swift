/// The plain names of an ignore file. Lines with a path, a glob or a `!` are not among them.
struct IgnoredNames {
    private var anything: Set<String> = []
    /// Names with `/` behind them, which mean directories only.
    private var directories: Set<String> = []

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
    var ignoredNames: IgnoredNames {
        // What is taken back, or stands for more than a name everywhere, is looked through.
        guard let text = ownIgnoreFile, !Self.takesBack(text) else { return IgnoredNames() }
        return IgnoredNames(in: text)
    }

    /// The names that ripgrep leaves out beside hidden ones; nil where an ignore file of the root may take back any.
    var namesLeftOut: IgnoredNames? {
        let others = [".ignore", ".rgignore"].contains { disk.entry(at: PathText.join(root.path, $0)) != .missing }
        guard !others else { return nil }
        guard repository != nil, let text = ownIgnoreFile else { return IgnoredNames() }
        let names = IgnoredNames(in: text)
        for line in text.pieces(at: "\n") where Self.takesBack(String(line)) {
            guard let last = PathText.components(String(line)).last?.drop(while: { $0 == UInt8(ascii: "!") }),
                last.allSatisfy(ShellCharacters.isFirstWord), !names.mentions(String(Substring(last))),
                !SensitiveNames.isSensitive(component: last)
            else { return nil }
        }
        return names
    }

    private var ownIgnoreFile: String? {
        // A link there git does not follow.
        let path = PathText.join(root.path, ".gitignore")
        return disk.entry(at: path) == .plain ? disk.text(of: path, limit: Self.longestIgnoreFile) : nil
    }

    /// A `.gitignore` between here and the root may take back what the root's leaves out.
    func takesBack(in directory: String) -> Bool {
        var directory = directory
        while !PathText.same(directory, root.path), PathText.contains(root.path, directory) {
            let path = PathText.join(directory, ".gitignore")
            if disk.entry(at: path) != .missing {
                guard let text = disk.text(of: path, limit: Self.longestIgnoreFile), !Self.takesBack(text) else {
                    return true
                }
            }
            directory = PathText.directory(of: directory)
        }
        return false
    }

    /// True where a file of this directory may take back hidden or ignored names, or a repository of its own lies there, for
    /// which the root's `.gitignore` does not count.
    func opensSearch(in directory: String, _ entries: [DirectoryEntry]) -> Bool {
        guard !PathText.same(directory, root.path) else { return false }
        return entries.contains { entry in
            switch entry.name {
            case ".git", ".ignore", ".rgignore": true
            case ".gitignore": takesBack(in: directory)
            default: false
            }
        }
    }

    /// Git passes over a byte order mark at the start.
    private static func takesBack(_ text: String) -> Bool {
        text.pieces(at: "\n").contains { line in
            line.utf8.first == UInt8(ascii: "!") || line.utf8.starts(with: "\u{FEFF}!".utf8)
        }
    }
}
