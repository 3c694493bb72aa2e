/// Names by which git recognises a directory as a repository, whose settings and hooks it would then run.
enum RepositoryNames {
    private static let files = [
        "alternates", "commondir", "config", "config.worktree", "git-rebase-todo", "gitdir", "head", "packed-refs",
    ]
    private static let directories = ["objects", "refs"]
    /// The names that a command may not create. `config` is not among them, because git does not recognise repositories
    /// by it. Formatters take the directory of a `.hg` for the top of a project.
    private static let made = [".bzr", ".hg", ".jj", ".sl", ".svn", "commondir", "gitdir", "head"] + directories

    /// True if a component of the path is one of the names that a command may not create.
    static func holds(path: Substring.UTF8View) -> Bool {
        PathText.components(path).contains { names($0, made) }
    }

    /// True if a tool may write this path. False for the names of a repository's files, and for files below `objects`
    /// or `refs` if `isThere` finds a `HEAD` next to that directory.
    static func mayWrite(path: Substring.UTF8View, isThere: (String) -> Bool) -> Bool {
        let parts = PathText.components(path)
        guard parts.count <= WrittenNames.mostComponents, let last = parts.last, !names(last, files + directories)
        else {
            return false
        }
        for (index, part) in parts.enumerated() where names(part, directories) {
            let beside = parts[..<index] + [Substring("HEAD").utf8]
            if isThere(beside.map { String(Substring($0)) }.joined(separator: "/")) { return false }
        }
        return true
    }

    /// True if `part` is one of the names, without case.
    private static func names(_ part: Substring.UTF8View, _ names: [String]) -> Bool {
        names.contains { name in
            part.count == name.utf8.count
                && zip(part, name.utf8).allSatisfy { $0 == $1 || ($0 >= 65 && $0 <= 90 && $0 | 0x20 == $1) }
        }
    }
}
