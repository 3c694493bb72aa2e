/// Which names ripgrep leaves out, and where it does not: it reads the ignore files of the root, of all directories above and of
/// those that it comes through.
extension Ground {
    /// The names that ripgrep leaves out beside hidden ones; nil where an ignore file may take back any.
    func readNamesLeftOut() -> IgnoredNames? {
        guard !isOpenedFromAbove, let text = textOfOwnIgnoreFiles, let distant = distantExcludes else { return nil }
        var names = IgnoredNames(in: text)
        return names.takeBack(linesOf: text + distant) ? names : nil
    }

    /// What the repository leaves out to which the root was added (`git worktree`). Only what is taken back there counts: of a
    /// submodule, and by a relative pointer, ripgrep does not find it. Nil where it cannot be read.
    private var distantExcludes: String? {
        guard disk.kind(of: PathText.join(root.path, ".git")) == .file else { return "" }
        guard let repository = commonDirectory else { return nil }
        return isThere(Self.excludes, in: repository) ? text(ofIgnoreFile: Self.excludes, in: repository) : ""
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

    /// An ignore file of this directory, or of one between it and the root, may take back `.git`, which ripgrep leaves out as a
    /// hidden name only.
    func opensRepositories(upFrom directory: String) -> Bool {
        isSomewhere(upFrom: directory, takesBackGit(at:))
    }

    /// The same for the ignore files of this very directory.
    func opensRepositories(in directory: String, _ entries: [DirectoryEntry]) -> Bool {
        !PathText.same(directory, root.path)
            && entries.contains { Self.ignoreFiles.contains($0.name) || Self.repositoryMarks.contains($0.name) }
            && takesBackGit(at: directory)
    }

    private func takesBackGit(at directory: String) -> Bool {
        Self.ignoreFiles.contains { name in
            isThere(name, in: directory) && (text(ofIgnoreFile: name, in: directory).map(Self.takesBackGit) ?? true)
        }
    }

    private static func takesBackGit(_ text: String) -> Bool {
        var names = IgnoredNames()
        return !names.takeBack(linesOf: text) || names.mayTakeBack(Array(".git".utf8))
    }

    /// It takes the ignore files of all directories above, too, but `.gitignore` only up to the top of the work tree.
    private var isOpenedFromAbove: Bool {
        var directory = root.path
        var files = Self.ignoreFiles[...]
        while !PathText.same(directory, "/"), PathText.isAbsolute(directory) {
            if hasRepository(directory) { files = Self.ignoreFiles.dropFirst(2) }
            directory = PathText.directory(of: directory)
            if takesBack(at: directory, by: files) { return true }
            // A work tree of another repository, whose `info/exclude` counts.
            if files.count > 2, disk.kind(of: PathText.join(directory, ".git")) == .file { return true }
        }
        return false
    }

    /// As ripgrep sees it: whatever is called `.git`, but no link to nothing.
    private func hasRepository(_ directory: String) -> Bool {
        disk.kind(of: PathText.join(directory, ".git")) != .missing
    }

    private static let excludes = "info/exclude"

    /// One here or above. A bare repository is none.
    private var isInRepository: Bool {
        var directory = root.path
        while PathText.isAbsolute(directory) {
            if hasRepository(directory) { return true }
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
            Self.repositoryMarks.contains(entry.name)
                || (Self.ignoreFiles.contains(entry.name) && takesBack(at: directory))
        }
    }

    /// The same for this directory or one between it and the root.
    func opensSearch(upFrom directory: String) -> Bool {
        isSomewhere(upFrom: directory) { directory in
            Self.repositoryMarks.contains { isThere($0, in: directory) } || takesBack(at: directory)
        }
    }

    /// What is a repository of its own to ripgrep.
    private static let repositoryMarks = [".git", ".jj"]
}
