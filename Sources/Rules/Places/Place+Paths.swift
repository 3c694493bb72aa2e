import Text

/// Checks of the paths in a command line.
extension Place {
    /// Throws unless the path lies under the root, both as the kernel resolves it and textually, and is not sensitive.
    ///
    /// - Parameter isRun: whether the path is passed to a script, which may write to it; then a file that programs run
    ///   by themselves is refused, too.
    func check(path: String, isRun: Bool = false) throws(Refusal) {
        guard root.disk.spend(bytes: path.utf8.count), path.utf8.count < DiskLookups.longestPath else {
            throw .tooMuch
        }
        if PathText.same(path, "/dev/null") || root.isAnywhere { return }
        guard path.utf8.first != UInt8(ascii: "~") else { throw .outside(path) }
        if SensitiveNames.isSensitive(path: root.writtenBelowRoot(path)) { throw .sensitive(path) }
        let found = resolve(path)
        try check(resolved: found, of: path)
        if isRun, let below = root.remainder(found), root.runsByItself(below),
            !WordShapes.isBareWord(path) || root.disk.kind(of: found.path) != .missing
        {
            throw .runsByItself(path)
        }
        if PathText.holdsParent(path) {
            // Git, pytest and others remove `link/..` by name, and open another file than the kernel would.
            let byName = root.resolve(PathText.normalize(path, from: resolved.path))
            guard PathText.same(byName.path, found.path) else { throw .unusualPath(path) }
        }
    }

    private func check(resolved found: ResolvedPath, of path: String) throws(Refusal) {
        guard let below = root.remainder(found) else { throw .outside(path) }
        if SensitiveNames.isSensitive(path: below) { throw .sensitive(path) }
        if root.isKeptApart(found.path) { throw .sensitive(path) }
    }

    /// Throws where a component of the path, as written or resolved, begins with `-`: a program may take it for an
    /// option.
    func checkHasNoDashes(_ path: String) throws(Refusal) {
        guard !root.isAnywhere, !PathText.same(path, "-") else { return }
        for part in PathText.components(path) + PathText.components(root.remainder(resolve(path)) ?? Substring().utf8)
        where part.first == UInt8(ascii: "-") {
            throw .unusualPath(path)
        }
    }

    /// Checks a word, and every other reading of the word by a program that expands globs itself.
    func check(argument: String, isRun: Bool = false) throws(Refusal) {
        guard let readings = ProgramGlobs.readings(of: Array(argument.utf8)) else { throw .operand(argument) }
        for reading in readings { try check(reading: reading, of: argument, isRun: isRun) }
    }

    /// Checks every run of the word's pieces (split at `= : , @`) as a path, and every possible value inside an option.
    private func check(reading bytes: [UInt8], of argument: String, isRun: Bool) throws(Refusal) {
        guard let first = bytes.first else { return }
        guard first != UInt8(ascii: "="), first != UInt8(ascii: ":"), bytes.firstPlace(of: "://".utf8) == nil else {
            throw .operand(argument)
        }
        var cuts = [-1]
        for (index, byte) in bytes.enumerated() where Self.isCut(byte) { cuts.append(index) }
        cuts.append(bytes.count)
        guard cuts.count <= Self.mostCuts else { throw .operand(argument) }
        for (from, start) in cuts.dropLast().enumerated() {
            for end in cuts[(from + 1)...] where end > start + 1 {
                try check(piece: bytes[(start + 1)..<end], isRun: isRun)
            }
        }
    }

    /// The most boundaries of pieces in a word; more would cost too many lookups on the disk.
    private static let mostCuts = 12
    private static let longestOption = 256

    private static func isCut(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "@")
    }

    private func check(piece: ArraySlice<UInt8>, isRun: Bool) throws(Refusal) {
        try check(path: String(decoding: piece, as: UTF8.self), isRun: isRun)
        guard piece.first == UInt8(ascii: "-") else { return }
        guard piece.count <= Self.longestOption else {
            throw .operand(String(decoding: piece, as: UTF8.self))
        }
        for index in piece.indices.dropLast() where ShellCharacters.isLetter(piece[index]) {
            let value = piece[(index + 1)...]
            // A lone `=` or `:` separates an option from its value.
            guard value.count > 1 || !Self.isCut(value[value.startIndex]) else { continue }
            try check(path: String(decoding: value, as: UTF8.self), isRun: isRun)
        }
    }

    /// The files that an unquoted `[DIR/]*.suffix` matches now. Throws unless each passes as a path and none begins
    /// with `-`.
    func expansions(ofGlob word: String) throws(Refusal) -> [String] {
        try checkIsWhole(word)
        let slash = word.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { String(word[...$0]) } ?? ""
        let name = word.utf8[(slash.map { word.utf8.index(after: $0) } ?? word.startIndex)...]
        guard let suffix = Self.suffix(ofGlob: name), !directory.utf8.contains(where: Self.isGlob) else {
            throw .expansion(word)
        }
        try check(argument: directory + "x." + suffix)
        let found = directory.isEmpty ? resolved : resolve(directory)
        let paths = try names(ofSuffix: suffix, in: found.path, word).map { directory + $0 }
        for path in paths {
            guard path.utf8.first != UInt8(ascii: "-") else { throw .expansion(word) }
            try check(argument: path)
        }
        return paths
    }

    private static let mostMatches = 1000
    /// The cost of comparing one name with a glob, in bytes.
    private static let bytesOfName = 16

    /// The names with this suffix, hidden ones and other cases included, because a shell may have options to match
    /// these.
    private func names(ofSuffix suffix: String, in directory: String, _ word: String) throws(Refusal) -> [String] {
        guard let names = root.disk.names(in: directory) else { throw .expansion(word) }
        guard root.disk.spend(bytes: names.count * Self.bytesOfName) else { throw .tooMuch }
        let end = SensitiveNames.folded(("." + suffix).utf8)
        let found = names.filter { SensitiveNames.folded($0.utf8).suffix(end.count).elementsEqual(end) }
        guard found.count <= Self.mostMatches else { throw .expansion(word) }
        return found
    }

    private static func isGlob(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
    }

    /// The suffix of a glob `*.suffix` that consists of letters, digits, `_`, `-` and `.`; nil for any other glob.
    static func suffix(ofGlob name: some BidirectionalCollection<UInt8>) -> String? {
        guard name.starts(with: "*.".utf8) else { return nil }
        let suffix = name.dropFirst(2)
        guard let first = suffix.first, ShellCharacters.isAlphanumeric(first),
            suffix.allSatisfy({
                ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            })
        else { return nil }
        return String(decoding: suffix, as: UTF8.self)
    }
}
