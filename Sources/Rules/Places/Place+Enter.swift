import Text

/// Changes of directory, and checks of files that are run or created.
extension Place {
    /// The place after `cd DIR` or `git -C DIR`. Throws unless the directory is the root or lies below it.
    func enter(_ word: ShellWord) throws(Refusal) -> Place {
        let path = word.value
        try checkIsKnown(path)
        guard word.marks.isEmpty, let first = path.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"),
            Self.hasPlainComponents(root.writtenBelowRoot(path))
        else { throw .directory(path) }
        try check(argument: path)
        let found = resolve(path)
        guard let below = root.remainder(found), Self.hasPlainComponents(below),
            root.disk.kind(of: found.path) == .directory
        else { throw .directory(path) }
        let name = PathText.normalize(path, from: written)
        if path.utf8.starts(with: "..".utf8) {
            // For `..` the shell removes the last component of PWD, the kernel goes to the parent. Both must agree.
            guard PathText.same(root.resolve(name).path, found.path) else { throw .directory(path) }
        }
        return Place(name, on: root, resolved: found, mayChange: mayChange, mayHoldMore: mayHoldMore)
    }

    /// True if no component is hidden, begins with `-` or is `node_modules`, and `..` is only at the start.
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

    /// True if a component is hidden, is `node_modules`, or begins with `-`, which would look like an option in a key.
    private static func isUnusual(_ part: Substring.UTF8View) -> Bool {
        part.first == UInt8(ascii: ".") || part.first == UInt8(ascii: "-") || isModules(part)
    }

    private static func isModules(_ part: Substring.UTF8View) -> Bool {
        part.count == 12 && part.elementsEqual("node_modules".utf8) { $0 | 0x20 == $1 || $0 == $1 }
    }

    /// The path of a file or directory that is run, resolved and relative to the root, for the key.
    func runnable(_ word: ShellWord, kind: PathKind) throws(Refusal) -> String {
        let path = word.value
        try checkIsKnown(path)
        // `bash +x` is an option, `node inspect` a command.
        guard word.marks.isEmpty, let first = path.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"),
            path != "inspect", path != "debug"
        else { throw .unusualPath(path) }
        try check(argument: path)
        let found = resolve(path)
        guard let below = root.remainder(found), Self.hasPlainNames(below),
            Self.hasNoUnusualNames(root.writtenBelowRoot(path)), !Self.isWrapper(below),
            !Self.isWrapper(Substring(path).utf8), root.disk.kind(of: found.path) == kind,
            // No link: the program may depend on its own name, and may load files from that name's directory.
            PathText.same(PathText.normalize(path, from: resolved.path), found.path)
        else { throw .unusualPath(path) }
        let relative = String(Substring(below))
        return relative.isEmpty ? "." : relative
    }

    /// Throws unless `./gradlew` is a file in exactly this directory and not a link to another file.
    func checkWrapper(_ name: String) throws(Refusal) {
        let here = PathText.join(resolved.path, String(name.dropFirst(2)))
        let found = resolve(name)
        guard root.contains(found), PathText.same(found.path, here), root.disk.kind(of: here) == .file else {
            throw .unusualPath(name)
        }
    }

    /// True if the path names a script that starts a build tool. Such a script matches only the rows of that tool.
    private static func isWrapper(_ path: Substring.UTF8View) -> Bool {
        guard let name = PathText.components(path).last else { return false }
        return CommandRow.wrappers.contains("./" + String(Substring(name)).lowercased())
    }

    /// True if Python's unittest takes the word for a file and not for a dotted name.
    func isPythonFile(_ path: String) -> Bool {
        path.utf8.count > 3 && path.utf8.suffix(3).elementsEqual(".py".utf8) && !PathText.isAbsolute(path)
            && root.disk.kind(of: resolve(path).path) == .file
    }

    /// Throws for a file or directory that a command may not create: a file that programs run by themselves, a part of
    /// a repository, or a file that makes a build overwrite another.
    ///
    /// - Parameter isDirectory: whether an empty directory is created, which no program runs.
    func check(created path: String, isDirectory: Bool) throws(Refusal) {
        try check(argument: path)
        try checkHasNoDashes(path)
        let names = PathText.components(path).filter { !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
        guard names.allSatisfy(WrittenNames.isPlain), !standsForOne(path) else { throw .unusualPath(path) }
        for below in [root.writtenBelowRoot(path), root.remainder(resolve(path)) ?? Substring(path).utf8] {
            guard isDirectory || !root.runsByItself(below), !RepositoryNames.holds(path: below) else {
                throw .runsByItself(path)
            }
        }
        try checkReplacesNothing(path)
    }

    private func standsForOne(_ path: String) -> Bool {
        WrittenNames.standsForOne(path: path[...].utf8) { root.disk.kind(of: resolve($0).path) != .missing }
    }

    /// Throws where the new file, or a new directory above it, makes a build overwrite an existing file.
    private func checkReplacesNothing(_ path: String) throws(Refusal) {
        var made = resolve(path).path
        repeat {
            let directory = PathText.directory(of: made)
            guard let name = PathText.components(made).last, !BuiltNames.holdsVersions(name),
                !BuiltNames.replacesOne(
                    name, isFile: { root.disk.kind(of: PathText.join(directory, $0)) == .file })
            else { throw .replaced(path) }
            made = directory
        } while root.disk.kind(of: made) == .missing && PathText.isAbsolute(made)
    }

    /// Throws where `go build` would write a file that programs run by themselves, or replace a text: it names the executable
    /// after the package, or the first file, and writes it to the current directory. Older versions (1.19) replace any file.
    func checkIsNoProgramsName(_ value: String) throws(Refusal) {
        let base = Self.base(ofPattern: value)
        if let base { try checkReplacesNoTextBelow(base) }
        let found = resolve(base ?? value).path
        let module = root.disk.text(of: PathText.join(found, "go.mod"), limit: Self.longestModule)
        for path in [Substring(found).utf8] + Self.moduleNames(module ?? "") {
            let names = PathText.components(path).suffix(2)
            // A last component `v2` is a version; then the name before counts.
            for name in names.last?.first == UInt8(ascii: "v") ? names : names.suffix(1) {
                let program = name.suffix(3).elementsEqual(".go".utf8) ? name.dropLast(3) : name
                guard !SensitiveNames.runsByItself(path: program) else { throw .runsByItself(value) }
                try checkReplacesNoText(String(Substring(program)))
            }
        }
    }

    private static let longestModule = 65_536

    /// The directory in front of the first component with `...`; nil for a path without one.
    private static func base(ofPattern value: String) -> String? {
        guard let dots = value.firstPlace(of: "...") else { return nil }
        let front = value[..<dots.lowerBound]
        guard let slash = front.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == front.startIndex ? "/" : String(front[..<slash])
    }

    /// An executable of an earlier build is no text.
    func checkReplacesNoText(_ name: String) throws(Refusal) {
        let path = PathText.join(resolved.path, name)
        guard root.disk.kind(of: path) == .file, root.disk.text(of: path, limit: Self.longestText) != nil else {
            return
        }
        throw .operand(name)
    }

    private static let longestText = 65_536

    /// The words of all lines of a go.mod that contain `module`; one of them is the module's name.
    private static func moduleNames(_ text: String) -> [Substring.UTF8View] {
        text.pieces(at: "\n").filter { $0.holds("module") }.flatMap { line in
            line.utf8.split { " \t\r\"`()".utf8.contains($0) }
        }
    }

    /// A path under the root as a part of a key: resolved, and relative to the root.
    func named(_ word: ShellWord) throws(Refusal) -> String {
        let path = word.value
        guard word.marks.isEmpty else { throw .expansion(path) }
        guard let below = root.remainder(resolve(path)), Self.hasPlainNames(below),
            Self.hasNoUnusualNames(root.writtenBelowRoot(path))
        else { throw .unusualPath(path) }
        return below.isEmpty ? "." : String(Substring(below))
    }

    /// True if the path is the project that tsc would use by default: this directory's tsconfig.json.
    func isOwnProject(_ path: String) -> Bool {
        let found = resolve(path).path
        return [resolved.path, PathText.join(resolved.path, "tsconfig.json")].contains { PathText.same($0, found) }
            && root.disk.kind(of: PathText.join(resolved.path, "tsconfig.json")) == .file
    }

    private static func hasNoUnusualNames(_ path: Substring.UTF8View) -> Bool {
        PathText.components(path).allSatisfy { part in
            if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) { return true }
            return !isUnusual(part)
        }
    }

    /// True if the path can be part of a key, whose words are separated by spaces.
    private static func hasPlainNames(_ path: Substring.UTF8View) -> Bool {
        hasNoUnusualNames(path)
            && path.allSatisfy {
                ShellCharacters.isFirstWord($0) || $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ",")
                    || $0 == UInt8(ascii: "=")
            }
    }
}
