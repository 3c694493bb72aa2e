/// Names by which git takes any directory for a repository, whose settings and hooks it would run.
enum RepositoryNames {
    private static let files = [
        "alternates", "commondir", "config", "config.worktree", "git-rebase-todo", "gitdir", "head", "packed-refs",
    ]
    private static let directories = ["objects", "refs"]
    /// Without `config`, which is none of the names git looks for. Formatters take a directory with `.hg` for a project's.
    private static let made = [".bzr", ".hg", ".jj", ".sl", ".svn", "commondir", "gitdir", "head"] + directories

    /// Somewhere in the path is a name that git looks for.
    static func holds(path: Substring.UTF8View) -> Bool {
        PathText.components(path).contains { names($0, made) }
    }

    /// No file of a repository is written: `objects` or `refs` only where `isThere` says that a `HEAD` lies beside.
    static func mayWrite(path: Substring.UTF8View, isThere: (String) -> Bool) -> Bool {
        let parts = PathText.components(path)
        guard let last = parts.last, !names(last, files + directories) else { return false }
        for (index, part) in parts.enumerated() where names(part, directories) {
            let beside = parts[..<index] + [Substring("HEAD").utf8]
            if isThere(beside.map { String(Substring($0)) }.joined(separator: "/")) { return false }
        }
        return true
    }

    /// Without case.
    private static func names(_ part: Substring.UTF8View, _ names: [String]) -> Bool {
        names.contains { name in
            part.count == name.utf8.count
                && zip(part, name.utf8).allSatisfy { $0 == $1 || ($0 >= 65 && $0 <= 90 && $0 | 0x20 == $1) }
        }
    }
}
