import Text

/// Checks whether one word may stand where a row takes anything of a kind.
struct ArgumentCheck {
    let place: Place
    let row: CommandRow
    /// Several words of the same kind may stand here, so a glob may too.
    let mayExpand: Bool

    /// The command's first word.
    private var command: String { row.words.first ?? "" }

    func check(_ word: ShellWord, as kind: ArgumentKind) throws(Refusal) {
        var marks = word.marks
        if command == "git", isGitName(kind), WordShapes.isRevision(word.value) { marks.remove(.caret) }
        if command == "echo", marks == .status { marks = [] }
        if place.ground.isAnywhere, kind == .file || kind.isPaths, word.value.utf8.starts(with: "~/".utf8) {
            marks.subtract([.tilde, .caret])
        }
        if marks == .glob, mayExpand, !word.isQuoted, kind.isPaths || kind == .args || kind == .text {
            let names = try place.expansions(ofGlob: word.value)
            // A shell may be told to leave out a glob that matches nothing, and then all of the directory may be meant.
            guard Self.readInput.contains(command) || names.contains(where: { Self.isMatched($0, by: word.value) })
            else { throw .expansion(word.value) }
            for name in names { try checkWord(name, as: kind) }
            return
        }
        guard marks.isEmpty else { throw .expansion(word.value) }
        if word.marks.contains(.caret) { try checkReference(word.value) }
        try checkWord(word.value, as: kind)
    }

    /// zsh may be told to take `a@{bc}` for `a@b` and `a@c`.
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

    /// By every shell, however it is set: no hidden name, and the suffix in this very case.
    private static func isMatched(_ name: String, by glob: String) -> Bool {
        guard let star = glob.utf8.lastIndex(of: UInt8(ascii: "*")) else { return false }
        return PathText.components(name).last?.first != UInt8(ascii: ".")
            && name.utf8.reversed().starts(with: glob.utf8[star...].dropFirst().reversed())
    }

    /// Without an operand they read what they are fed, or nothing.
    private static let readInput: Set<String> = ["cat", "echo", "head", "jq", "nl", "sed", "sort", "tail", "wc"]

    /// A word as the command gets it: also a name that a glob stands for may be a list to it, or a line to a shell.
    private func checkWord(_ value: String, as kind: ArgumentKind) throws(Refusal) {
        // `@FILE` is a list of further words to many programs, wherever it stands.
        if row.parser?.mayReadLists != false, value.utf8.first == UInt8(ascii: "@"), !Self.readNoLists.contains(command)
        {
            throw .operand(value)
        }
        if kind == .args || Self.relays.contains(command) { try checkRelayed(value) }
        try check(value, as: kind)
    }

    /// They take no lists of words, and names that begin so: git's `@`, a package's scope.
    private static let readNoLists: Set<String> = [
        "bun", "echo", "find", "git", "npm", "pnpm", "rg", "tree", "yarn",
    ]

    /// They hand their arguments to a shell of their own, and not every version quotes them well; and they run the script
    /// where package.json is, which may be above.
    private static let relays: Set<String> = ["bun", "npm", "npx", "pnpm", "yarn"]

    /// Another shell may read it, in another directory.
    private func checkRelayed(_ value: String) throws(Refusal) {
        let bytes = Array(value.utf8)
        guard bytes.allSatisfy(Self.survivors(of: command)) else { throw .expansion(value) }
        if Self.relays.contains(command), bytes.firstPlace(of: "..".utf8) != nil { throw .outside(value) }
    }

    /// The bytes that a command hands on as they are.
    private static func survivors(of command: String) -> (UInt8) -> Bool {
        // bun put no quotes around anything until late in 2024.
        if command == "bun" { return { ShellCharacters.isFirstWord($0) || "=:,@%".utf8.contains($0) } }
        // npm before 7 escapes a quote but not the backslash before it.
        if relays.contains(command) {
            return { survivesShell($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") }
        }
        return survivesShell
    }

    private static func survivesShell(_ byte: UInt8) -> Bool {
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
            // To some programs the directory they run in: mypy follows links out of it.
            try require(!value.isEmpty, value)
            // `@file` is a list of further arguments to many programs.
            guard kind == .rev && WordShapes.isName(value) || value.utf8.first != UInt8(ascii: "@") else {
                throw .operand(value)
            }
            if Self.expanders.contains(command) {
                try require(SearchGlobs.namesSources(value), value)
                // `+(a)`, `@(a)` and `\a` stand for `a` to them; to git they do not.
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
            // `npm:x` and `jsr:@a/b` are fetched, `data:…` is a program.
            if command == "deno" { try require(!value.utf8.contains(UInt8(ascii: ":")), value) }
            if row.runsTests { try checkIsTest(value) }
            if kind == .rev { try checkIsOfRoot(value) }
            // With its extended globs zsh takes `NAME~1:x` for the file NAME.
            if kind == .rev, let end = value.utf8.firstIndex(where: { "~^".utf8.contains($0) }) {
                try place.check(argument: String(value[..<end]))
            }
        case .measured:
            try place.check(argument: value)
            // `a.b` imports `a`, to find `b` in it.
            let isDirectory = place.ground.disk.kind(of: place.resolve(value).path) == .directory
            try require(isDirectory || !value.utf8.contains(UInt8(ascii: ".")), value)
        case .name:
            try require(WordShapes.isName(value), value)
            if row.start == "git fetch" || row.start == "git pull" {
                try require(!WordShapes.isForeignBranch(value), value)
            }
            // `go doc HOST/PATH@latest` asks that host.
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
            // With an option before it that is a module's name to us, and unittest's own word to itself.
            try require(WordShapes.isDottedName(value) && value != "discover", value)
        case .args: try args(value)
        case .choice(let words): try require(words.contains { PathText.same($0, value) }, value)
        case .condition: try require(WordShapes.isCondition(value), value)
        case .count: try require(WordShapes.isCount(value), value)
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

    /// In `HEAD:a/b` git reads `a/b` from the top of the work tree, which is above the root of a part of it.
    private func checkIsOfRoot(_ value: String) throws(Refusal) {
        guard let path = value.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).dropFirst().first else { return }
        try require(place.ground.isTopOfWorkTree || path.starts(with: "./".utf8), value)
    }

    /// Throws for a file that is none of tests, by its name or by the directories it lies in; for such a directory where settings
    /// have pytest import every file that it finds there. Behind a file's path stands what a runner takes for the name of a test
    /// in it, `::a`, `[1/2]`, `:3`: wherever it begins.
    func checkIsTest(_ value: String) throws(Refusal) {
        try checkIsTestFile(value)
        for index in value.utf8.indices where ":[?".utf8.contains(value.utf8[index]) {
            try checkIsTestFile(String(value[..<index]))
        }
    }

    private func checkIsTestFile(_ path: String) throws(Refusal) {
        let found = place.resolve(path)
        let kind = place.ground.disk.kind(of: found.path)
        guard kind == .file || kind == .directory && place.collectsEveryFile(in: found.path) else { return }
        let parts = PathText.components(place.ground.remainder(found) ?? Substring(found.path).utf8)
            .map { String(decoding: SensitiveNames.folded($0), as: UTF8.self) }
        let isTest = kind == .file && parts.last.map { isTestFile($0, path) } == true
        try require(
            isTest || parts.dropLast(kind == .file ? 1 : 0).contains { Self.directoriesOfTests.contains($0) }, path)
    }

    private func isTestFile(_ name: String, _ path: String) -> Bool {
        HandedTests.isTestFile(Array(name.utf8))
            || ["conftest.", "test.", "test-", "tests."].contains(where: name.hasPrefix)
            || ["_tests.", "-test."].contains { name.holds($0) } || path.hasSuffix("Test.php")
    }

    private static let directoriesOfTests: Set<String> = [
        "__tests__", "acceptance", "bench", "benchmarks", "e2e", "functional", "integration", "spec", "specs", "test",
        "testing", "tests", "unit",
    ]

    /// Throws where the path is no directory, or is one, against what the kind says; other kinds take either.
    private func checkIsDirectory(_ value: String, _ kind: ArgumentKind) throws(Refusal) {
        guard kind == .directory || kind == .file else { return }
        let isDirectory = place.ground.disk.kind(of: place.resolve(value).path) == .directory
        try require(isDirectory == (kind == .directory), value)
    }

    /// A directory, or a file of a name that no rule for writing covers.
    private func checkIsProject(_ value: String) throws(Refusal) {
        let found = place.resolve(value).path
        guard place.ground.disk.kind(of: found) != .directory else { return }
        let name = SensitiveNames.folded(PathText.components(found).last ?? Substring(found).utf8)
        try require(name.starts(with: "tsconfig".utf8) && name.suffix(5).elementsEqual(".json".utf8), value)
    }

    /// For a script that was approved; npm, pnpm, yarn, bun and cargo run theirs in a directory above that has a manifest.
    private func args(_ value: String) throws(Refusal) {
        try place.checkIsKnown(value)
        try place.check(argument: value, isRun: true)
        guard Self.climbers.contains(command) else { return }
        for place in place.above { try place.check(argument: value, isRun: true) }
    }

    private static let climbers: Set<String> = ["bun", "cargo", "npm", "pnpm", "yarn"]

    /// They take a quoted glob for one, and find hidden names by it.
    private static let expanders: Set<String> = [
        "biome", "deno", "eslint", "git", "knip", "markdownlint", "markdownlint-cli2", "mix", "npx", "oxlint",
        "prettier",
        "rubocop", "stylelint", "tslint",
    ]

    /// They build, run or rewrite what they are given, wherever it is found.
    private static let goBuilders: Set<String> = ["build", "fmt", "test", "vet"]

    private func require(_ isRight: Bool, _ value: String) throws(Refusal) {
        guard isRight else { throw .operand(value) }
    }
}
