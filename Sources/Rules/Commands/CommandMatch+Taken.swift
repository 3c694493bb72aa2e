import Text

/// Checks what a command takes as a whole: files that are rewritten, and files that git takes into its index.
extension CommandMatch {
    /// Every operand; without any it is the directory itself to most.
    func checkTaken(_ operands: [ShellWord], as kind: ArgumentKind) throws(Refusal) {
        var left = kind == .staged ? Place.mostNamesStaged : Place.mostNamesBelow
        let isGo = row.start == "go fmt"
        // A command that names nothing is about everything that is there by then.
        if kind == .formatted || operands.isEmpty { try place.checkIsKnown(operands.first?.value ?? ".") }
        for word in operands.isEmpty ? [ShellWord(".")] : operands {
            let isGlob = word.marks == .glob && !word.isQuoted
            guard word.marks.isEmpty || isGlob else { throw .expansion(word.value) }
            for path in isGlob ? try place.expansions(ofGlob: word.value) : [Self.base(of: word.value, isGo: isGo)] {
                if kind == .staged {
                    try place.checkStaged(path, isAll: operands.isEmpty, left: &left)
                } else {
                    try place.checkRewritten(path, by: Rewriter(of: row.words[0]), left: &left)
                }
            }
        }
    }

    /// The directory below which a program looks that expands globs by itself; `./...` is `.` to Go.
    static func base(of word: String, isGo: Bool = false) -> String {
        if isGo, word.utf8.suffix(3).elementsEqual("...".utf8) { return String(word.dropLast(3)) + "." }
        guard word.utf8.contains(where: { "*?[{".utf8.contains($0) }) else { return word }
        let front = SearchGlobs.front(of: word)
        return front.isEmpty ? "." : front
    }
}

/// Says how a program that rewrites files goes through a directory.
struct Rewriter {
    /// Files it rewrites, also through a link; nil: of whatever suffix.
    var suffixes: Set<String>?
    /// It goes into directories by a link.
    var entersLinks = false
    /// Directories it leaves out unless it is sent into them.
    var passedOver: Set<String>

    init(of command: String) {
        switch command {
        case "black": (suffixes, entersLinks, passedOver) = (Self.python, true, Self.environments)
        case "python", "python3", "ruff", "uv": (suffixes, passedOver) = (Self.python, Self.environments)
        case "go", "gofmt": (suffixes, passedOver) = (["go"], [".git"])
        default: (entersLinks, passedOver) = (true, [".git", "node_modules"])
        }
    }

    private static let python: Set<String> = ["ipynb", "py", "pyi", "pyw"]
    private static let environments: Set<String> = [
        ".direnv", ".eggs", ".git", ".hg", ".mypy_cache", ".nox", ".svn", ".tox", ".venv", "__pypackages__", "build",
        "dist", "node_modules", "venv",
    ]

    /// A number is no suffix: `python3.11` in an environment is a link to what nobody rewrites.
    func rewrites(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let suffix = name.utf8[dot...].dropFirst()
        return suffixes?.contains(String(Substring(suffix)).lowercased())
            ?? !suffix.allSatisfy(ShellCharacters.isDigit)
    }
}

extension Place {
    /// In larger trees repositories are not looked for.
    static let mostNamesStaged = 20_000

    /// A file; or a directory where no link leads to a file elsewhere: black, gofmt, ruff and others write through links.
    func checkRewritten(_ path: String, by rewriter: Rewriter, left: inout Int) throws(Refusal) {
        try lookBelow(resolve(path).path, path, left: &left) { found, entry throws(Refusal) in
            if entry.kind == .link,
                rewriter.rewrites(entry.name)
                    || (rewriter.entersLinks && ground.disk.kind(of: found) == .directory)
            {
                try check(path: found)
            }
            return !rewriter.passedOver.contains(entry.name)
        }
    }

    /// No repository but the root's own, and none below a directory: once git has one in its index, it looks into it with
    /// that one's settings, which may start a program (`core.fsmonitor`).
    ///
    /// - Parameter isAll: no path is named, and the whole work tree is meant.
    func checkStaged(_ path: String, isAll: Bool, left: inout Int) throws(Refusal) {
        guard !isAll || ground.isTopOfWorkTree else { throw .repository }
        let top = isAll ? ground.root.path : resolve(path).path
        let isDirectory = ground.disk.kind(of: top) == .directory
        let found = ground.disk.repository(from: isDirectory ? top : PathText.directory(of: top))
        guard let found, let own = ground.repository, PathText.same(found, own) else { throw .repository }
        let ignored = ground.ignoredNames
        try lookBelow(top, path, left: &left) { found, entry throws(Refusal) in
            guard SensitiveNames.folded(entry.name.utf8).elementsEqual(".git".utf8) else {
                return !ignored.holds(entry) || ground.takesBack(in: PathText.directory(of: found))
            }
            guard PathText.same(PathText.directory(of: found), own) else { throw .repository }
            return false
        }
    }

    /// Every name below a directory, as far as `isEntered` says so; a file has none.
    private func lookBelow(
        _ top: String, _ path: String, left: inout Int,
        isEntered: (String, DirectoryEntry) throws(Refusal) -> Bool
    ) throws(Refusal) {
        guard ground.disk.kind(of: top) == .directory else { return }
        var directories = [top]
        while let directory = directories.popLast() {
            guard let entries = ground.disk.entries(in: directory, atMost: left) else { throw .tooMuchBelow(path) }
            left -= entries.count
            for entry in entries {
                let found = PathText.join(directory, entry.name)
                if try isEntered(found, entry), entry.kind == .directory { directories.append(found) }
            }
        }
    }
}
