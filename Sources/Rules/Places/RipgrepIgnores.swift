/// The names that ripgrep skips. It reads the ignore files of the root, of all directories above, and of those it
/// visits.
extension SessionRoot {
    /// The names that ripgrep skips besides hidden ones; nil where an ignore file may include any of them again.
    func readNamesLeftOut() -> IgnoredNames? {
        guard !isOpenedFromAbove, let text = textOfOwnIgnoreFiles, let distant = distantExcludes else { return nil }
        var names = IgnoredNames(in: text)
        return names.addNegatedLines(of: text + distant) ? names : nil
    }

    /// The exclude file of the repository to which the root belongs as a linked work tree (`git worktree`). Only its
    /// negated lines count: for a submodule, or with a relative pointer, ripgrep does not find the file. Nil where it
    /// cannot be read.
    private var distantExcludes: String? {
        guard disk.kind(of: PathText.join(resolved.path, ".git")) == .file else { return "" }
        guard let repository = commonDirectory else { return nil }
        return isThere(Self.excludes, in: repository) ? text(ofIgnoreFile: Self.excludes, in: repository) : ""
    }

    /// The text of all ignore files in the root; nil where one cannot be read.
    private var textOfOwnIgnoreFiles: String? {
        var text = ""
        for name in Self.ignoreFiles where isThere(name, in: resolved.path) && (name != ".gitignore" || isInRepository)
        {
            guard let more = self.text(ofIgnoreFile: name, in: resolved.path) else { return nil }
            text += more + "\n"
        }
        return text
    }

    /// True if an ignore file of the directory, or of one between it and the root, may include `.git` again, which
    /// ripgrep skips only as a hidden name.
    func opensRepositories(upFrom directory: String) -> Bool {
        isSomewhere(upFrom: directory, mayIncludeGit(at:))
    }

    /// The same for the ignore files of exactly this directory.
    func opensRepositories(in directory: String, _ entries: [DirectoryEntry]) -> Bool {
        !PathText.same(directory, resolved.path)
            && entries.contains { Self.ignoreFiles.contains($0.name) || Self.repositoryMarks.contains($0.name) }
            && mayIncludeGit(at: directory)
    }

    private func mayIncludeGit(at directory: String) -> Bool {
        Self.ignoreFiles.contains { name in
            isThere(name, in: directory) && (text(ofIgnoreFile: name, in: directory).map(Self.mayIncludeGit) ?? true)
        }
    }

    private static func mayIncludeGit(_ text: String) -> Bool {
        var names = IgnoredNames()
        return !names.addNegatedLines(of: text) || names.mayIncludeAgain(Array(".git".utf8))
    }

    /// True if an ignore file above the root may include names again. Ripgrep reads `.ignore` and `.rgignore` of all
    /// directories above, `.gitignore` only up to the top of the work tree.
    private var isOpenedFromAbove: Bool {
        var directory = resolved.path
        var files = Self.ignoreFiles[...]
        while !PathText.same(directory, "/"), PathText.isAbsolute(directory) {
            if hasRepository(directory) { files = Self.ignoreFiles.dropFirst(2) }
            directory = PathText.directory(of: directory)
            if hasNegatedLine(in: directory, by: files) { return true }
            // A `.git` file: the root lies in a linked work tree, and the `info/exclude` of its repository counts.
            if files.count > 2, disk.kind(of: PathText.join(directory, ".git")) == .file { return true }
        }
        return false
    }

    /// True if ripgrep sees a repository: anything called `.git` except a broken link.
    private func hasRepository(_ directory: String) -> Bool {
        disk.kind(of: PathText.join(directory, ".git")) != .missing
    }

    private static let excludes = "info/exclude"

    /// True if the root or a directory above has a `.git`. Bare repositories do not count.
    private var isInRepository: Bool {
        var directory = resolved.path
        while PathText.isAbsolute(directory) {
            if hasRepository(directory) { return true }
            guard !PathText.same(directory, "/") else { break }
            directory = PathText.directory(of: directory)
        }
        return false
    }

    /// True where an ignore file of this directory may include hidden or ignored names again, or where the directory is
    /// a repository of its own, for which the root's `.gitignore` does not count.
    func opensSearch(in directory: String, _ entries: [DirectoryEntry]) -> Bool {
        guard !PathText.same(directory, resolved.path) else { return false }
        return entries.contains { entry in
            Self.repositoryMarks.contains(entry.name)
                || (Self.ignoreFiles.contains(entry.name) && hasNegatedLine(in: directory))
        }
    }

    /// The same for this directory or one between it and the root.
    func opensSearch(upFrom directory: String) -> Bool {
        isSomewhere(upFrom: directory) { directory in
            Self.repositoryMarks.contains { isThere($0, in: directory) } || hasNegatedLine(in: directory)
        }
    }

    /// The names by which ripgrep recognises a repository.
    private static let repositoryMarks = [".git", ".jj"]
}
