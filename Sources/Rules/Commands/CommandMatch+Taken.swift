import Text

/// Checks operands of which the command takes everything below: files that are rewritten, and files that git stages.
extension CommandMatch {
    /// Throws where pytest may take for all its operands the settings that lie beside one, and these have it import every
    /// file.
    func checkSharedSettings(_ homes: [String]) throws(Refusal) {
        guard homes.count > 1, row.words.contains("pytest") else { return }
        for home in homes where place.collectsEveryFile(in: PathText.join(place.root.resolved.path, home)) {
            throw .operand(home)
        }
    }

    /// Checks the current directory for programs that take it if they are given no operand.
    func checkDirectoryItself() throws(Refusal) {
        if row.start == "go build" { try place.checkIsNoProgramsName(".") }
        guard row.runsTests, row.words.contains("pytest"), !place.isToldWhereTestsAre() else { return }
        try ArgumentCheck(place: place, row: row, mayExpand: false).checkIsTest(".")
    }

    /// True if the name of a test may be handed to a `main` of the project's own.
    var startsOwnHarness: Bool {
        row.behindDashes == .harness && PassedArguments.Use(row, name: nil, among: words, at: place) == .script
    }

    /// Throws unless the words are pairs of a level and a lint.
    func checkLints(_ words: ArraySlice<ShellWord>) throws(Refusal) {
        for (position, word) in words.enumerated() where WordShapes.isLintLevel(word.value) != (position % 2 == 0) {
            throw .operand(word.value)
        }
        guard words.count % 2 == 0 else { throw .missing("a lint") }
    }

    static func takesOptions(_ kind: ArgumentKind) -> Bool {
        if case .choice = kind { return true }
        return kind == .args || kind == .harness || kind == .lints || kind == .text
    }

    /// Checks every operand. Without any, most programs take the current directory.
    func checkTaken(_ operands: [ShellWord], as kind: ArgumentKind) throws(Refusal) {
        var left = kind == .staged ? Place.mostNamesStaged : Place.mostNamesBelow
        let isGo = row.start == "go fmt"
        // A command without operands takes everything that is there when it runs.
        if kind == .formatted || operands.isEmpty { try place.checkIsKnown(operands.first?.value ?? ".") }
        for word in operands.isEmpty ? [ShellWord(".")] : operands {
            let isGlob = word.marks == .glob && !word.isQuoted
            guard word.marks.isEmpty || isGlob else { throw .expansion(word.value) }
            for path in isGlob ? try place.expansions(ofGlob: word.value) : [Self.base(of: word.value, isGo: isGo)] {
                if kind == .staged {
                    try place.checkStaged(path, isAll: operands.isEmpty, left: &left)
                } else {
                    try place.checkRewritten(path, by: Rewriter(of: row.words, at: place), left: &left)
                }
            }
        }
    }

    /// The directory in which a program that expands globs itself starts to search. For Go `./...` means `.`.
    static func base(of word: String, isGo: Bool = false) -> String {
        if isGo, word.utf8.suffix(3).elementsEqual("...".utf8) { return String(word.dropLast(3)) + "." }
        guard word.utf8.contains(where: { "*?[{".utf8.contains($0) }) else { return word }
        let front = SearchGlobs.front(of: word)
        return front.isEmpty ? "." : front
    }
}

/// The way in which a program that rewrites files traverses a directory.
struct Rewriter {
    /// The suffixes of the files it rewrites, also through links; nil for all suffixes.
    var suffixes: Set<String>?
    /// True if it follows links to directories.
    var entersLinks = false
    /// The directories it skips unless they are named as operands.
    var passedOver: Set<String>

    /// - Parameter words: those of the row.
    init(of words: [String], at place: Place) {
        // Also behind `uv run` and `python3 -m`.
        let program = words.first { ["black", "ruff"].contains($0) } ?? words[0]
        switch program {
        case "black":
            (suffixes, entersLinks) = (Self.python, true)
            passedOver = place.choosesWhatIsSkipped() ? [".git"] : Self.skipped.union(["build"])
        case "ruff":
            suffixes = Self.python
            passedOver = place.choosesWhatIsSkipped() ? [".git"] : Self.skipped.union(["node_modules"])
        case "go", "gofmt": (suffixes, passedOver) = (["go"], [".git"])
        default: (entersLinks, passedOver) = (true, [".git", "node_modules"])
        }
    }

    /// ruff formats what Markdown shows of Python, too.
    private static let python: Set<String> = ["ipynb", "markdown", "md", "py", "pyi", "pyw"]
    /// The directories that both black and ruff skip where no settings say otherwise.
    private static let skipped: Set<String> = [
        ".direnv", ".eggs", ".git", ".hg", ".mypy_cache", ".nox", ".svn", ".tox", ".venv", "__pypackages__", "dist",
        "venv",
    ]

    /// True if the program rewrites files of this name. A number is not a suffix: `python3.11` in a virtual environment
    /// is a link to a program.
    func rewrites(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let suffix = name.utf8[dot...].dropFirst()
        return suffixes?.contains(String(Substring(suffix)).lowercased())
            ?? !suffix.allSatisfy(ShellCharacters.isDigit)
    }
}

extension Place {
    /// True where settings here or above may replace the directories that black and ruff skip by themselves.
    func choosesWhatIsSkipped() -> Bool {
        var directory = resolved.path
        while true {
            for name in ["pyproject.toml", "ruff.toml", ".ruff.toml"] {
                let path = PathText.join(directory, name)
                guard root.disk.kind(of: path) != .missing else { continue }
                guard let text = root.disk.text(of: path, limit: DiskLookups.longestManifest) else { return true }
                if Self.replacesExcluded(text) { return true }
            }
            if PathText.same(directory, "/") { return false }
            directory = PathText.directory(of: directory)
        }
    }

    /// `extend-exclude` and `force-exclude` only skip more.
    private static func replacesExcluded(_ settings: String) -> Bool {
        var text = Array(settings.utf8)[...]
        while let found = text.firstPlace(of: "exclude".utf8) {
            let before = text[..<found.lowerBound]
            let adds = ["extend-", "extend_", "force-", "force_"].contains {
                before.reversed().starts(with: $0.utf8.reversed())
            }
            if !adds { return true }
            text = text[found.upperBound...]
        }
        return false
    }

    /// The most names that are searched for repositories. Larger trees are refused.
    static let mostNamesStaged = 20_000

    /// Throws unless the path is a file, or a directory without links out of the root or to sensitive files: black,
    /// gofmt, ruff and others write through links.
    func checkRewritten(_ path: String, by rewriter: Rewriter, left: inout Int) throws(Refusal) {
        try lookBelow(resolve(path).path, path, left: &left) { found, entry throws(Refusal) in
            if entry.kind == .link,
                rewriter.rewrites(entry.name)
                    || (rewriter.entersLinks && root.disk.kind(of: found) == .directory)
            {
                try check(path: found)
            }
            return !rewriter.passedOver.contains(entry.name)
        }
    }

    /// Throws where git would stage a repository other than the root's own, or one nested in a directory. Once such a
    /// repository is in the index, git reads it with its own settings, which may run a program (`core.fsmonitor`).
    ///
    /// - Parameter isAll: whether the command names no path and so stages the whole work tree.
    func checkStaged(_ path: String, isAll: Bool, left: inout Int) throws(Refusal) {
        guard !isAll || root.isTopOfWorkTree else { throw .repository }
        let top = isAll ? root.resolved.path : resolve(path).path
        let isDirectory = root.disk.kind(of: top) == .directory
        let found = root.disk.repository(from: isDirectory ? top : PathText.directory(of: top))
        guard let found, let own = root.repository, PathText.same(found, own) else { throw .repository }
        let ignored = root.ignoredNames
        try lookBelow(top, path, left: &left) { found, entry throws(Refusal) in
            guard SensitiveNames.folded(entry.name.utf8).elementsEqual(".git".utf8) else {
                return !ignored.holds(entry) || root.hasNegatedLine(upFrom: PathText.directory(of: found))
            }
            guard PathText.same(PathText.directory(of: found), own) else { throw .repository }
            return false
        }
    }

    /// Throws where a pattern of Go's may stand for one package below a directory whose executable replaces a text:
    /// `./cmd/...`.
    func checkReplacesNoTextBelow(_ base: String) throws(Refusal) {
        let names = Set((root.disk.names(in: resolved.path) ?? []).filter { !$0.utf8.contains(UInt8(ascii: ".")) })
        guard !names.isEmpty else { return }
        var left = Self.mostNamesStaged
        try lookBelow(resolve(base).path, base, left: &left) { _, entry throws(Refusal) in
            if entry.kind == .directory, names.contains(entry.name) { try checkReplacesNoText(entry.name) }
            return ![".git", "node_modules", "testdata", "vendor"].contains(entry.name)
        }
    }

    /// Calls `isEntered` for every entry below a directory, and descends into the directories for which it returns
    /// true. Does nothing for a file.
    func lookBelow(
        _ top: String, _ path: String, left: inout Int,
        isEntered: (String, DirectoryEntry) throws(Refusal) -> Bool
    ) throws(Refusal) {
        guard root.disk.kind(of: top) == .directory else { return }
        var directories = [top]
        while let directory = directories.popLast() {
            guard let entries = root.disk.entries(in: directory, atMost: left) else { throw .tooMuchBelow(path) }
            left -= entries.count
            for entry in entries {
                let found = PathText.join(directory, entry.name)
                if try isEntered(found, entry), entry.kind == .directory { directories.append(found) }
            }
        }
    }
}
