/// Which names ripgrep leaves out, and where it does not: it reads the ignore files of the root, of all directories above and of
/// those that it comes through.
extension Ground {
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
        !PathText.same(directory, root.path)
            && entries.contains { Self.ignoreFiles.contains($0.name) || Self.repositories.contains($0.name) }
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
            // Ripgrep drops blanks at the end.
            let pattern = line.utf8.drop { $0 == UInt8(ascii: "!") || $0 >= 0x80 }.reversed().drop { $0 <= 0x20 }
                .reversed()
            return mayStand(forGit: PathText.components(String(decoding: pattern, as: UTF8.self)).last)
        }
    }

    /// By what is plain at its ends.
    private static func mayStand(forGit pattern: Substring.UTF8View?) -> Bool {
        guard let pattern, pattern.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "}") }) else {
            return true
        }
        let git = ".git".utf8
        let isPlain = { (byte: UInt8) in !"*?[]{\\".utf8.contains(byte) }
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
            if isThere(".git", in: directory) { files = Self.ignoreFiles.dropFirst(2) }
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
}
