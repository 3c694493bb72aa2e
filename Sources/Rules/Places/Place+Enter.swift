import Text

/// Going into a directory, and files that are run.
extension Place {
    /// The root or a directory below it, for `cd DIR` and `git -C DIR`.
    func enter(_ word: ShellWord) throws(Refusal) -> Place {
        let path = word.value
        try checkIsKnown(path)
        guard word.marks.isEmpty, let first = path.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"),
            Self.hasPlainComponents(ground.writtenBelowRoot(path))
        else { throw .directory(path) }
        try check(argument: path)
        let found = resolve(path)
        guard let below = ground.remainder(found), Self.hasPlainComponents(below),
            ground.disk.kind(of: found.path) == .directory
        else { throw .directory(path) }
        let name = PathText.normalize(path, from: written)
        if path.utf8.starts(with: "..".utf8) {
            // The shell drops the last name of its PWD, the kernel goes to the parent: both have to be the same.
            guard PathText.same(ground.resolve(name).path, found.path) else { throw .directory(path) }
        }
        return Place(name, on: ground, resolved: found, mayChange: mayChange, mayHoldMore: mayHoldMore)
    }

    /// No hidden component, none that begins with `-`, no `node_modules`, `..` only in front.
    static func hasPlainComponents(_ path: Substring.UTF8View) -> Bool {
        var isFront = true
        for part in PathText.components(path) {
            if part.elementsEqual("..".utf8) {
                guard isFront else { return false }
            } else if !part.elementsEqual(".".utf8) {
                isFront = false
                guard !isUnusual(part) else { return false }
            }
        }
        return true
    }

    /// A name that begins with `-` would play an option in a key.
    private static func isUnusual(_ part: Substring.UTF8View) -> Bool {
        part.first == UInt8(ascii: ".") || part.first == UInt8(ascii: "-") || isModules(part)
    }

    private static func isModules(_ part: Substring.UTF8View) -> Bool {
        part.count == 12 && part.elementsEqual("node_modules".utf8) { $0 | 0x20 == $1 || $0 == $1 }
    }

    /// A file (or directory) that is run: relative to the root, resolved, for the key.
    func runnable(_ word: ShellWord, kind: PathKind) throws(Refusal) -> String {
        let path = word.value
        try checkIsKnown(path)
        // `bash +x` is an option, `node inspect` a command.
        guard word.marks.isEmpty, let first = path.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"),
            path != "inspect", path != "debug"
        else { throw .unusualPath(path) }
        try check(argument: path)
        let found = resolve(path)
        guard let below = ground.remainder(found), Self.hasPlainNames(below),
            Self.hasNoUnusualNames(ground.writtenBelowRoot(path)), !Self.isWrapper(below),
            !Self.isWrapper(Substring(path).utf8), ground.disk.kind(of: found.path) == kind,
            // What it does may depend on its name, and it looks for its files beside that.
            PathText.same(PathText.normalize(path, from: resolved.path), found.path)
        else { throw .unusualPath(path) }
        let relative = String(Substring(below))
        return relative.isEmpty ? "." : relative
    }

    /// `./gradlew` is the file of that name in this very directory, no link to another.
    func checkWrapper(_ name: String) throws(Refusal) {
        let here = PathText.join(resolved.path, String(name.dropFirst(2)))
        let found = resolve(name)
        guard ground.contains(found), PathText.same(found.path, here), ground.disk.kind(of: here) == .file else {
            throw .unusualPath(name)
        }
    }

    /// A script that starts a build tool has the rows of that tool, nowhere else.
    private static func isWrapper(_ path: Substring.UTF8View) -> Bool {
        guard let name = PathText.components(path).last else { return false }
        return CommandRow.wrappers.contains("./" + String(Substring(name)).lowercased())
    }

    /// A file that Python's unittest takes for one, not for a dotted name.
    func isPythonFile(_ path: String) -> Bool {
        path.utf8.count > 3 && path.utf8.suffix(3).elementsEqual(".py".utf8) && !PathText.isAbsolute(path)
            && ground.disk.kind(of: resolve(path).path) == .file
    }

    /// A file or directory that is made: nothing that a program would run by itself, and no part of a repository.
    ///
    /// - Parameter isDirectory: an empty directory is made, which nothing runs.
    func check(created path: String, isDirectory: Bool) throws(Refusal) {
        try check(argument: path)
        try checkHasNoDashes(path)
        let names = PathText.components(path).filter { !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
        guard names.allSatisfy(WrittenNames.isPlain), !standsForOne(path) else { throw .unusualPath(path) }
        for below in [ground.writtenBelowRoot(path), ground.remainder(resolve(path)) ?? Substring(path).utf8] {
            guard isDirectory || !SensitiveNames.runsByItself(path: below), !RepositoryNames.holds(path: below) else {
                throw .runsByItself(path)
            }
        }
        try checkReplacesNothing(path)
    }

    private func standsForOne(_ path: String) -> Bool {
        WrittenNames.standsForOne(path: path[...].utf8) { ground.disk.kind(of: resolve($0).path) != .missing }
    }

    /// Of what is made, also on the way to the last, a build makes no file that is there already.
    private func checkReplacesNothing(_ path: String) throws(Refusal) {
        var made = resolve(path).path
        repeat {
            let directory = PathText.directory(of: made)
            guard let name = PathText.components(made).last, !BuiltNames.holdsVersions(name),
                !BuiltNames.replacesOne(
                    name, isFile: { ground.disk.kind(of: PathText.join(directory, $0)) == .file })
            else { throw .replaced(path) }
            made = directory
        } while ground.disk.kind(of: made) == .missing && PathText.isAbsolute(made)
    }

    /// Go writes a program under the name of its package, or of the first file, to the directory where it is built. Older
    /// versions (1.19) replace whatever file has that name.
    func checkIsNoProgramsName(_ value: String) throws(Refusal) {
        let found = resolve(value).path
        let module = ground.disk.text(of: PathText.join(found, "go.mod"), limit: Self.longestModule)
        for path in [Substring(found).utf8] + Self.moduleNames(module ?? "") {
            let names = PathText.components(path).suffix(2)
            // A last `v2` is a version.
            for name in names.last?.first == UInt8(ascii: "v") ? names : names.suffix(1) {
                let program = name.suffix(3).elementsEqual(".go".utf8) ? name.dropLast(3) : name
                guard !SensitiveNames.runsByItself(path: program) else { throw .runsByItself(value) }
                try checkReplacesNoText(String(Substring(program)))
            }
        }
    }

    private static let longestModule = 65_536

    /// A program that was built before is no text.
    private func checkReplacesNoText(_ name: String) throws(Refusal) {
        let path = PathText.join(resolved.path, name)
        guard ground.disk.kind(of: path) == .file, ground.disk.text(of: path, limit: Self.longestText) != nil else {
            return
        }
        throw .operand(name)
    }

    private static let longestText = 65_536

    /// Words that may be the name of a module: of all lines but those of what is required.
    private static func moduleNames(_ text: String) -> [Substring.UTF8View] {
        text.pieces(at: "\n").filter { $0.holds("module") }.flatMap { line in
            line.utf8.split { " \t\r\"`()".utf8.contains($0) }
        }
    }

    /// A path under the root as part of a key: relative to the root, resolved.
    func named(_ word: ShellWord) throws(Refusal) -> String {
        let path = word.value
        guard word.marks.isEmpty else { throw .expansion(path) }
        guard let below = ground.remainder(resolve(path)), Self.hasPlainNames(below),
            Self.hasNoUnusualNames(ground.writtenBelowRoot(path))
        else { throw .unusualPath(path) }
        return below.isEmpty ? "." : String(Substring(below))
    }

    /// What tsc would take without being told.
    func isOwnProject(_ path: String) -> Bool {
        let found = resolve(path).path
        return [resolved.path, PathText.join(resolved.path, "tsconfig.json")].contains { PathText.same($0, found) }
            && ground.disk.kind(of: PathText.join(resolved.path, "tsconfig.json")) == .file
    }

    private static func hasNoUnusualNames(_ path: Substring.UTF8View) -> Bool {
        PathText.components(path).allSatisfy { part in
            if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) { return true }
            return !isUnusual(part)
        }
    }

    /// Nothing that a key, whose words are told apart by spaces, could not hold.
    private static func hasPlainNames(_ path: Substring.UTF8View) -> Bool {
        hasNoUnusualNames(path)
            && path.allSatisfy {
                ShellCharacters.isFirstWord($0) || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ",")
                    || $0 == UInt8(ascii: "=")
            }
    }
}
