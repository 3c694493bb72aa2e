/// The words of a text by which it may run tasks of a project, case folded.
struct TaskNames {
    private(set) var all: Set<[UInt8]> = []
    /// What stands before a `*` or a variable: `run-s "check:*"`.
    private(set) var fronts: Set<[UInt8]> = []
    /// True if a pattern may stand for any task.
    private(set) var isEvery = false

    init(in text: [UInt8]) {
        // Most words of a text stand in it many times.
        var known: Set<ArraySlice<UInt8>> = []
        for word in text.split(whereSeparator: { Self.ends[Int($0)] }) where known.insert(word).inserted { take(word) }
        if Self.installers.contains(where: { all.contains($0) }) { all.formUnion(Self.ofInstallers) }
        for (short, long) in Self.others where all.contains(short) { all.insert(long) }
        // `hatch run lint:all`
        if all.contains(Array("hatch".utf8)) {
            for word in known { all.insert(Array(word.split(separator: UInt8(ascii: ":")).last ?? [])) }
        }
        let made = MadeNames(in: text)
        if made.scripts { all.insert(Self.anyScript) }
        if made.rules { all.insert(Self.anyRule) }
    }

    private mutating func take(_ written: ArraySlice<UInt8>) {
        all.insert(Array(written))
        var word = written
        // `npm:lint`
        if let colon = word.firstIndex(of: UInt8(ascii: ":")), Self.managers.contains(Array(word[..<colon])) {
            word = word[(colon + 1)...]
            all.insert(Array(word))
        }
        // pnpm's regular expressions.
        if word.starts(with: "/^".utf8) { isEvery = true }
        // `-mpre_commit`
        if ScriptNames.hasValue(word) { all.formUnion(Self.programs(named: Array(word.dropFirst(2)))) }
        // `make check-$language`
        if let star = word.firstIndex(where: { "*$".utf8.contains($0) }) { takePattern(word, at: star) }
        let parts = word.split(separator: UInt8(ascii: "/"))
        if parts.count != 1 || parts[0].count != word.count { for part in parts { all.insert(Array(part)) } }
        // `.`, `../..`
        if word.allSatisfy({ "./".utf8.contains($0) }) { all.insert([UInt8(ascii: ".")]) }
        for part in parts { all.formUnion(Self.programs(named: Array(part))) }
    }

    private mutating func takePattern(_ word: ArraySlice<UInt8>, at star: Int) {
        let front = word[..<star]
        if front.isEmpty {
            if word[star] == UInt8(ascii: "*"), word.contains(UInt8(ascii: ":")) { isEvery = true }
        } else if !front.contains(UInt8(ascii: "/")) {
            fronts.insert(Array(front))
        }
    }

    /// True for a byte between words.
    static let ends = (0...255).map { $0 <= 0x20 || "'\";&|()`,[]{}=<>".utf8.contains(UInt8($0)) }

    /// Names that every script of a manager has, and every rule of a makefile.
    static let anyScript: [UInt8] = [0, 1]
    static let anyRule: [UInt8] = [0, 2]

    /// The last component of a path.
    static func last(of path: String) -> [UInt8] {
        PathText.components(path).last.map { SensitiveNames.folded($0) } ?? []
    }

    static func list(_ names: String) -> [[UInt8]] { names.split(separator: " ").map { Array($0.utf8) } }

    /// Programs that run scripts of `package.json`, or what else it names.
    static let managers = list(
        """
        bun bunx concurrently husky husky-run lerna lint-staged nano-staged npm npm-run-all npm-run-all2 npx nx pnpm pnpx \
        run-p run-s simple-git-hooks turbo ultra wireit wsrun yarn yorkie
        """)
    /// Programs that read it where they find a package by a directory or by its name.
    static let interpreters = list("--run deno node nodejs nodemon require ts-node tsx vite-node")

    /// Whatever they are given, these may install the project itself.
    private static let installers = list("bun npm pnpm yarn")
    private static let ofInstallers = list(
        """
        dependencies install postinstall postpack postprepare postpublish preinstall prepack prepare preprepare prepublish \
        prepublishonly
        """)
    private static let others: [([UInt8], [UInt8])] = [
        ("cit", "test"), ("install-ci-test", "test"), ("install-test", "test"), ("it", "test"), ("restart", "start"),
        ("t", "test"), ("tst", "test"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
}

// MARK: - Programs

/// A file of settings has the name of the program that reads it: `lefthook.yml`, `.lintstagedrc`, `Taskfile.yml`. These
/// names, without dashes, begin with a NUL, so that no task has one by chance.
extension TaskNames {
    static func programs(named word: [UInt8]) -> [[UInt8]] {
        let stem = word.prefix { $0 != UInt8(ascii: ".") }
        guard !stem.isEmpty, stem.count <= longest else { return [] }
        let first = stem.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        let last = stem[(stem.lastIndex(of: UInt8(ascii: "-")).map { $0 + 1 } ?? stem.startIndex)...]
        return [program(stem)] + [first, last].filter { $0.count < stem.count && $0.count > 2 }.map { program($0) }
    }

    /// - Parameter name: case folded.
    static func programs(ofFile name: [UInt8]) -> [[UInt8]] {
        let plain = name.drop { $0 == UInt8(ascii: ".") }
        var found = programs(named: Array(plain))
        let stem = plain.prefix { $0 != UInt8(ascii: ".") }
        for tail in tails where stem.count > tail.count && stem.suffix(tail.count).elementsEqual(tail) {
            found += programs(named: stem.dropLast(tail.count).filter { $0 != UInt8(ascii: "-") })
        }
        return found
    }

    private static func program(_ name: some Sequence<UInt8>) -> [UInt8] {
        [0] + name.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }

    static func programs(_ names: String) -> [[UInt8]] { list(names).map { program($0) } }

    private static let longest = 64
    private static let tails = list("config file lists rc")
}
