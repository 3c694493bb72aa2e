import Text

/// What a path in a command line may lead to.
extension Place {
    /// Under the root, as the kernel resolves it and also by name, and not sensitive.
    ///
    /// - Parameter isRun: whoever gets the path may write there, so it may be nothing that runs by itself.
    func check(path: String, isRun: Bool = false) throws(Refusal) {
        guard ground.disk.spend(bytes: path.utf8.count), path.utf8.count < DiskQuestions.longestPath else {
            throw .tooMuch
        }
        if PathText.same(path, "/dev/null") || ground.isAnywhere { return }
        guard path.utf8.first != UInt8(ascii: "~") else { throw .outside(path) }
        if SensitiveNames.isSensitive(path: ground.writtenBelowRoot(path)) { throw .sensitive(path) }
        let found = resolve(path)
        try check(resolved: found, of: path)
        if isRun, let below = ground.remainder(found), SensitiveNames.runsByItself(path: below),
            !WordShapes.isBareWord(path) || ground.disk.kind(of: found.path) != .missing
        {
            throw .runsByItself(path)
        }
        if PathText.holdsParent(path) {
            // Some programs remove `link/..` by name before they open a file.
            try check(resolved: ground.resolve(PathText.normalize(path, from: resolved.path)), of: path)
        }
    }

    private func check(resolved found: ResolvedPath, of path: String) throws(Refusal) {
        guard let below = ground.remainder(found) else { throw .outside(path) }
        if SensitiveNames.isSensitive(path: below) { throw .sensitive(path) }
        if SensitiveNames.isAnotherHome(found.path, home: ground.context.home) { throw .sensitive(path) }
    }

    /// No name in it begins with `-`, as it is written or where it leads: some program may take such a one for an option.
    func checkHasNoDashes(_ path: String) throws(Refusal) {
        guard !ground.isAnywhere, !PathText.same(path, "-") else { return }
        for part in PathText.components(path) + PathText.components(ground.remainder(resolve(path)) ?? Substring().utf8)
        where part.first == UInt8(ascii: "-") {
            throw .unusualPath(path)
        }
    }

    /// The word, and whatever else a program with globs of its own may take it for.
    func check(argument: String, isRun: Bool = false) throws(Refusal) {
        guard let readings = ProgramGlobs.readings(of: Array(argument.utf8)) else { throw .operand(argument) }
        for reading in readings { try check(reading: reading, of: argument, isRun: isRun) }
    }

    /// The word, every run of its pieces cut at `= : , @`, and what follows each letter of an option.
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

    /// Words of more pieces are not worth the questions to the disk.
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
            // A lone `=` or `:` stands between an option and its value.
            guard value.count > 1 || !Self.isCut(value[value.startIndex]) else { continue }
            try check(path: String(decoding: value, as: UTF8.self), isRun: isRun)
        }
    }

    /// What an unquoted `[DIR/]*.suffix` names now, each of which passes as a path and none of which begins with `-`.
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
    /// What comparing one name with a glob costs.
    private static let bytesOfName = 16

    /// Hidden names too, and without case: a shell may be told to match so.
    private func names(ofSuffix suffix: String, in directory: String, _ word: String) throws(Refusal) -> [String] {
        guard let names = ground.disk.names(in: directory) else { throw .expansion(word) }
        guard ground.disk.spend(bytes: names.count * Self.bytesOfName) else { throw .tooMuch }
        let end = SensitiveNames.folded(("." + suffix).utf8)
        let found = names.filter { SensitiveNames.folded($0.utf8).suffix(end.count).elementsEqual(end) }
        guard found.count <= Self.mostMatches else { throw .expansion(word) }
        return found
    }

    private static func isGlob(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
    }

    /// `*.` and letters, digits, `_`, `-`, `.`.
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
