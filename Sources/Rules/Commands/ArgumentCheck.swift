import Text

/// Checks whether one word may be an argument of a kind.
struct ArgumentCheck {
    let place: Place
    let row: CommandRow
    /// True if several words of the same kind, and so a glob, may stand here.
    let mayExpand: Bool

    /// The command's first word.
    private var command: String { row.words.first ?? "" }

    func check(_ word: ShellWord, as kind: ArgumentKind) throws(Refusal) {
        var marks = word.marks
        if command == "git", isGitName(kind), WordShapes.isRevision(word.value) { marks.remove(.caret) }
        if command == "echo", marks == .status { marks = [] }
        if place.root.isAnywhere, kind == .file || kind.isPaths, word.value.utf8.starts(with: "~/".utf8) {
            marks.subtract([.tilde, .caret])
        }
        if marks == .glob, mayExpand, !word.isQuoted, kind.isPaths || kind == .args || kind == .text {
            let names = try place.expansions(ofGlob: word.value)
            // With an option a shell drops a glob without matches. The command may then take the whole directory.
            guard Self.readInput.contains(command) || names.contains(where: { Self.isMatched($0, by: word.value) })
            else { throw .expansion(word.value) }
            for name in names { try checkWord(name, as: kind) }
            return
        }
        guard marks.isEmpty else { throw .expansion(word.value) }
        if word.marks.contains(.caret) { try checkReference(word.value) }
        try checkWord(word.value, as: kind)
    }

    /// Checks the words to which zsh expands `a@{bc}` with its option `brace_ccl`: `a@b` and `a@c`.
    private func checkReference(_ value: String) throws(Refusal) {
        guard let brace = value.firstPlace(of: "@{") else { return }
        let rest = value[brace.upperBound...]
        guard let close = rest.utf8.firstIndex(of: UInt8(ascii: "}")),
            rest[rest.utf8.index(after: close)...].firstPlace(of: "@{") == nil
        else { throw .expansion(value) }
        for letter in Set(rest[..<close].utf8) {
            let end = rest[rest.utf8.index(after: close)...]
            try place.check(argument: value[..<brace.lowerBound] + "@" + String(UnicodeScalar(letter)) + end)
        }
    }

    /// True if a glob matches the name in every shell with any options: the name is not hidden, and the suffix has the
    /// same case.
    private static func isMatched(_ name: String, by glob: String) -> Bool {
        guard let star = glob.utf8.lastIndex(of: UInt8(ascii: "*")) else { return false }
        return PathText.components(name).last?.first != UInt8(ascii: ".")
            && name.utf8.reversed().starts(with: glob.utf8[star...].dropFirst().reversed())
    }

    /// The commands that, without an operand, read their input or nothing.
    private static let readInput: Set<String> = ["cat", "echo", "head", "jq", "nl", "sed", "sort", "tail", "wc"]

    /// Checks a word after expansion. A program may take a name, even one from a glob, for a file with arguments, and a
    /// shell for code.
    private func checkWord(_ value: String, as kind: ArgumentKind) throws(Refusal) {
        // Many programs read further words from FILE for `@FILE`, in any position.
        if row.parser?.mayReadLists != false, value.utf8.first == UInt8(ascii: "@"), !Self.readNoLists.contains(command)
        {
            throw .operand(value)
        }
        if kind == .args || Self.passThroughShell.contains(command) { try checkReadByShell(value) }
        try check(value, as: kind)
    }

    /// Commands that do not read `@FILE`, but take words that begin with `@`: git's `@`, a package's scope.
    private static let readNoLists: Set<String> = [
        "bun", "echo", "find", "git", "npm", "pnpm", "rg", "tree", "yarn",
    ]

    /// Commands that pass their arguments through a shell, in some versions badly quoted, and run the script in the
    /// directory of the package.json, which may be above.
    private static let passThroughShell: Set<String> = ["bun", "npm", "npx", "pnpm", "yarn"]

    /// Checks a word that another shell may read, in another directory.
    private func checkReadByShell(_ value: String) throws(Refusal) {
        let bytes = Array(value.utf8)
        guard bytes.allSatisfy(Self.isPassedUnchanged(by: command)) else { throw .expansion(value) }
        if Self.passThroughShell.contains(command), bytes.firstPlace(of: "..".utf8) != nil { throw .outside(value) }
    }

    /// The test for bytes that a command passes on unchanged.
    private static func isPassedUnchanged(by command: String) -> (UInt8) -> Bool {
        // Until late in 2024 bun did not quote arguments.
        if command == "bun" { return { ShellCharacters.isFirstWord($0) || "=:,@%".utf8.contains($0) } }
        // npm before 7 escapes a quote but not the backslash before it.
        if passThroughShell.contains(command) {
            return { isPlainToShell($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") }
        }
        return isPlainToShell
    }

    private static func isPlainToShell(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "$") && byte != UInt8(ascii: "`") && byte != UInt8(ascii: "\n")
    }

    private func isGitName(_ kind: ArgumentKind) -> Bool {
        kind == .name || kind == .rev
    }

    private func check(_ value: String, as kind: ArgumentKind) throws(Refusal) {
        switch kind {
        case .text, .pattern: break
        case .directory, .file, .path, .place, .project, .rev, .formatted, .staged, .tree:
            if kind != .rev || !WordShapes.isName(value) { try place.checkIsKnown(value) }
            // Some programs take an empty word for the current directory: mypy then follows links out of it.
            try require(!value.isEmpty, value)
            // Many programs read further arguments from `@file`.
            guard kind == .rev && WordShapes.isName(value) || value.utf8.first != UInt8(ascii: "@") else {
                throw .operand(value)
            }
            if Self.expandGlobs.contains(command) {
                try require(SearchGlobs.namesSources(value), value)
                // These programs read `+(a)`, `@(a)` and `\a` as `a`; git does not.
                try require(command == "git" || !value.utf8.contains { "()|\\".utf8.contains($0) }, value)
            }
            try place.check(argument: value)
            try place.checkHasNoDashes(value)
            try checkIsDirectory(value, kind)
            if kind == .project { try checkIsProject(value) }
            if command == "go", Self.goBuilders.contains(row.words[1]) {
                try require(WordShapes.isGoPath(value), value)
                if row.words[1] == "build" { try place.checkIsNoProgramsName(value) }
            }
            // deno downloads `npm:x` and `jsr:@a/b`, and runs the text of `data:…`.
            if command == "deno" { try require(!value.utf8.contains(UInt8(ascii: ":")), value) }
            if row.runsTests { try checkIsTest(value) }
            if kind == .rev { try checkIsOfRoot(value) }
            // With extended globs zsh reads `NAME~1:x` as a pattern for the file NAME.
            if kind == .rev, let end = value.utf8.firstIndex(where: { "~^".utf8.contains($0) }) {
                try place.check(argument: String(value[..<end]))
            }
        case .measured:
            try place.check(argument: value)
            // For `a.b` pytest's coverage plugin imports `a` to find `b`.
            let isDirectory = place.root.disk.kind(of: place.resolve(value).path) == .directory
            try require(isDirectory || !value.utf8.contains(UInt8(ascii: ".")), value)
        case .name:
            try require(WordShapes.isName(value), value)
            if row.start == "git fetch" || row.start == "git pull" {
                try require(!WordShapes.isForeignBranch(value), value)
            }
            if row.start == "git push" { try require(!place.root.mayBeNoBranch(value), value) }
            // `go doc HOST/PATH@latest` contacts HOST.
            if command == "go" { try require(!value.utf8.contains(UInt8(ascii: "@")), value) }
            try place.check(argument: value)
        case .layout: try require(WordShapes.isLayout(value), value)
        case .package:
            try require(WordShapes.isPackage(value), value)
            try place.check(argument: value)
        case .repository:
            try require(WordShapes.isRepository(value), value)
            try place.check(argument: value)
        case .remote: try require(WordShapes.isRemote(value), value)
        case .created:
            try place.checkIsKnown(value)
            try require(value.utf8.first != UInt8(ascii: "@"), value)
            try place.check(created: value, isDirectory: command == "mkdir")
        case .harness: try require(WordShapes.isHarnessArgument(value), value)
        case .module:
            // After an option `discover` looks like a module's name here, but is unittest's own subcommand.
            try require(WordShapes.isDottedName(value) && value != "discover", value)
        case .args: try args(value)
        case .choice(let words): try require(words.contains { PathText.same($0, value) }, value)
        case .condition: try require(WordShapes.isCondition(value), value)
        case .count: try require(WordShapes.isCount(value), value)
        case .workers:
            // Without the plugin pytest takes the word for a path, and loads what lies there.
            let isFree = place.root.disk.kind(of: place.resolve(value).path) == .missing
            try require(isFree && (WordShapes.isCount(value) || value == "auto" || value == "logical"), value)
        case .formula:
            try require(WordShapes.isFormula(value), value)
            try place.check(argument: value)
        case .format: try require(value.utf8.first == UInt8(ascii: "+"), value)
        case .glob: try require(WordShapes.isGlob(value), value)
        case .fields: try require(FieldProgram.isPlain(value), value)
        case .filter: try require(FilterProgram.isPlain(value), value)
        case .item:
            try require(WordShapes.isName(value) || WordShapes.isItem(value), value)
            try place.check(argument: value)
        case .lines: try require(LineProgram.isPlain(value), value)
        case .lints: try require(WordShapes.isLint(value), value)
        case .separator: try require(WordShapes.isSeparator(value), value)
        case .substitution: try require(SubstitutionProgram.isPlain(value), value)
        case .projection: try require(WordShapes.isProjection(value), value)
        case .target: try require(WordShapes.isTarget(value), value)
        }
    }

    /// Throws for `HEAD:a/b` where the root is only a part of the work tree: git resolves `a/b` from the work tree's
    /// top.
    private func checkIsOfRoot(_ value: String) throws(Refusal) {
        guard let path = value.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).dropFirst().first else { return }
        try require(place.root.isTopOfWorkTree || path.starts(with: "./".utf8), value)
    }

    /// Throws for a file that neither its name nor its directories mark as a test, and for such a directory if settings have
    /// pytest import every file in it. A runner may read `::a`, `[1/2]` or `:3` at the end as the name of a test in the file,
    /// so every possible end of the path is checked.
    func checkIsTest(_ value: String) throws(Refusal) {
        try checkIsTestFile(value)
        for index in value.utf8.indices where ":[?".utf8.contains(value.utf8[index]) {
            try checkIsTestFile(String(value[..<index]))
        }
    }

    private func checkIsTestFile(_ path: String) throws(Refusal) {
        let found = place.resolve(path)
        let kind = place.root.disk.kind(of: found.path)
        // phpunit before 9 takes a missing name for a class, and loads its file.
        try require(kind != .missing || row.words.last != "phpunit", path)
        // unittest makes a module's name of `deploy.x/test_a.py`, and imports `deploy` first.
        let mayBeOfUnittest = kind == .file && !row.words.contains("pytest") && path.lowercased().hasSuffix(".py")
        try require(!mayBeOfUnittest || WordShapes.isPathOfModule(path), path)
        if row.words.contains("pytest") { try checkIsImported(path, found, kind) }
        let isOfPytest = kind == .directory && row.words.contains("pytest")
        guard kind == .file || isOfPytest && place.collectsEveryFile(in: found.path) else { return }
        let parts = PathText.components(place.root.remainder(found) ?? Substring(found.path).utf8)
            .map { String(decoding: SensitiveNames.folded($0), as: UTF8.self) }
        let isTest = kind == .file && parts.last.map { isTestFile($0, path) } == true
        try require(
            isTest || parts.dropLast(kind == .file ? 1 : 0).contains { Self.directoriesOfTests.contains($0) }, path)
    }

    /// Throws where pytest would import another file than the one that is named, or takes the word for a module's name.
    private func checkIsImported(_ path: String, _ found: ResolvedPath, _ kind: PathKind) throws(Refusal) {
        let names = Set([found.path, PathText.normalize(path, from: place.resolved.path)])
        guard kind == .file else {
            let directories = Set(names.map(PathText.directory) + [place.resolved.path])
            return try require(!directories.contains(where: place.mayTakeModules), path)
        }
        guard path.lowercased().hasSuffix(".py") else { return }
        for name in names { try place.checkIsImported(pythonFile: name) }
    }

    private func isTestFile(_ name: String, _ path: String) -> Bool {
        TestArguments.isTestFile(Array(name.utf8))
            || ["conftest.", "test.", "test-", "tests."].contains(where: name.hasPrefix)
            || ["_tests.", "-test."].contains { name.holds($0) } || path.hasSuffix("Test.php")
    }

    private static let directoriesOfTests: Set<String> = [
        "__tests__", "acceptance", "bench", "benchmarks", "e2e", "functional", "integration", "spec", "specs", "test",
        "testing", "tests", "unit",
    ]

    /// Throws where the kind is `directory` but the path is not one, or the kind is `file` but the path is a directory.
    private func checkIsDirectory(_ value: String, _ kind: ArgumentKind) throws(Refusal) {
        guard kind == .directory || kind == .file else { return }
        let isDirectory = place.root.disk.kind(of: place.resolve(value).path) == .directory
        try require(isDirectory == (kind == .directory), value)
    }

    /// Throws unless the path is a directory or a `tsconfig….json`, which no rule for writing covers.
    private func checkIsProject(_ value: String) throws(Refusal) {
        let found = place.resolve(value).path
        guard place.root.disk.kind(of: found) != .directory else { return }
        let name = SensitiveNames.folded(PathText.components(found).last ?? Substring(found).utf8)
        try require(name.starts(with: "tsconfig".utf8) && name.suffix(5).elementsEqual(".json".utf8), value)
    }

    /// Checks an argument of an approved script. npm, pnpm, yarn, bun and cargo may run the script in a directory above
    /// that has a manifest, so the argument is checked for all of these.
    private func args(_ value: String) throws(Refusal) {
        try place.checkIsKnown(value)
        try place.check(argument: value, isRun: true)
        guard Self.searchParents.contains(command) else { return }
        for place in place.above { try place.check(argument: value, isRun: true) }
    }

    private static let searchParents: Set<String> = ["bun", "cargo", "npm", "pnpm", "yarn"]

    /// Commands that expand quoted globs themselves, and match hidden names.
    private static let expandGlobs: Set<String> = [
        "biome", "deno", "eslint", "git", "markdownlint", "markdownlint-cli2", "mix", "npx", "oxlint",
        "prettier",
        "rubocop", "stylelint", "tslint",
    ]

    /// Subcommands of go that build, run or rewrite their operands, even outside the module.
    private static let goBuilders: Set<String> = ["build", "fmt", "test", "vet"]

    private func require(_ isRight: Bool, _ value: String) throws(Refusal) {
        guard isRight else { throw .operand(value) }
    }
}
