/// Matches a command's words against one row of the table.
struct CommandMatch {
    let row: CommandRow
    let words: [ShellWord]
    let place: Place
    private var index = 0
    private(set) var key: [String] = []
    /// The arguments passed on to a script; nil for most commands.
    private(set) var passed: PassedArguments?
    private(set) var homes = [""]
    private var operands: [ShellWord] = []
    private var dashes: Int?
    /// Words that may be an option's value and no operand.
    private var measured: [ShellWord] = []
    private var keyOptions: ArraySlice<String>
    private var optionCount = 0
    private var hasPattern = false
    private var readsBelow = false
    private var globs: [String] = []
    private(set) var startsInPackages = true

    static func key(of words: [ShellWord], by row: CommandRow, in place: Place) throws(Refusal) -> CommandKey {
        var match = CommandMatch(row: row, words: words, place: place)
        return try match.run()
    }

    /// True if a command begins with the literal words of the row's key.
    static func begins(_ words: [ShellWord], with row: CommandRow) -> Bool {
        // Compare from the end, where the rows of one program differ.
        words.count >= row.words.count
            && row.words.indices.reversed().allSatisfy { PathText.same(words[$0].value, row.words[$0]) }
    }

    private init(row: CommandRow, words: [ShellWord], place: Place) {
        self.row = row
        self.words = words
        self.place = place
        keyOptions = row.keyOptions[...]
    }

    private mutating func run() throws(Refusal) -> CommandKey {
        index = row.words.count
        if let first = row.words.first, CommandRow.wrappers.contains(first) { try place.checkWrapper(first) }
        try LocalHelpers.check(row, in: place)
        try LocalHelpers.checkStarted(by: row, in: place)
        try WorkerModules.check(row, in: place)
        try slot()
        while index < words.count { try next() }
        if let missing = keyOptions.first { throw .missing(missing) }
        if row.words.first == "git" { try place.checkReach(of: row, words) }
        if row.needsOneOption, optionCount != 1 { throw .missing("one option") }
        try checkOperands()
        // The key of a deny rule has neither address nor commit.
        let isWider = row.operands.first == .remote || row.bringsFiles(words)
        if row.operands.first == .remote {
            key = try place.remote(named: operands.first?.value, isPush: row.start == "git push")
        }
        let further = try (passed?.ofKey() ?? []) + startOfBranch(operands)
        var text = text(of: homes[0], passed: further)
        text.wider += try shorterText()
        return CommandKey(
            text: text, others: homes.dropFirst().map { self.text(of: $0) }, deniedText: isWider ? row.key : nil,
            row: row,
            directory: row.isLocal ? place.resolved.path : Manifests.home(of: row, at: place))
    }

    /// True for unittest's `discover`: where it begins is part of the key. Without a word it imports all packages.
    var isStartOfDiscovery: Bool { row.words.last == "discover" }

    private mutating func pass(_ word: String) {
        passed = passed ?? PassedArguments(of: PassedArguments.Use(row, name: key.first, among: words, at: place))
        passed?.append(word)
    }

    private mutating func slot() throws(Refusal) {
        guard let slot = row.slot, slot != .targets else { return }
        guard index < words.count else { throw .missing(slot.rawValue) }
        let word = words[index]
        switch slot {
        case .name:
            guard word.marks.isEmpty, WordShapes.isScriptName(word.value) else { throw .operand(word.value) }
            key.append(word.value)
        case .file:
            let file = try place.runnable(word, kind: .file)
            key.append(row.words.isEmpty ? "./" + file : file)
        case .directory:
            guard word.value == "." || word.value.utf8.starts(with: "./".utf8) else { throw .operand(word.value) }
            key.append(try place.runnable(word, kind: .directory))
        case .targets: break
        }
        index += 1
    }

    private mutating func next() throws(Refusal) {
        let word = words[index]
        index += 1
        if row.takesAll || dashes != nil || word.value.utf8.first != UInt8(ascii: "-") || word.value == "-" {
            operands.append(word)
        } else if word.value == "--" {
            dashes = operands.count
        } else {
            // A parser without permutation takes the word for one more operand.
            guard row.parser?.permutes != false || operands.isEmpty else { throw .option(word.value) }
            try option(word)
        }
    }
}

// MARK: - Options

extension CommandMatch {
    private mutating func option(_ word: ShellWord) throws(Refusal) {
        guard word.marks.isEmpty else { throw .expansion(word.value) }
        if operands.isEmpty || row.optionsAnywhere, keyOptions.first.map({ PathText.same($0, word.value) }) == true {
            keyOptions.removeFirst()
            return
        }
        optionCount += 1
        let value = word.value
        if row.takesNumber, value.utf8.dropFirst().allSatisfy(ShellCharacters.isDigit) { return }
        if let found = known(value) { return try whole(found, word) }
        if try named(word) { return }
        try short(word)
    }

    /// The row's option with exactly this name. Only ASCII is looked up, so that `==` of strings compares bytes.
    private func known(_ name: String) -> CommandRow.Option? {
        name.utf8.allSatisfy { $0 < 0x80 } ? row.options[name] : nil
    }

    private mutating func whole(_ option: CommandRow.Option, _ word: ShellWord) throws(Refusal) {
        if option.readsBelow { readsBelow = true }
        if let kind = option.value {
            guard index < words.count else { throw .missing("the value of \(word.value)") }
            index += 1
            // Not every program takes the next word for a value: `git log --format --output=FILE` writes a file.
            guard !WordShapes.isOption(words[index - 1].value) else { throw .option(words[index - 1].value) }
            try check(value: words[index - 1], as: kind)
        } else if option.attached == .count, index < words.count,
            words[index].value.utf8.allSatisfy(ShellCharacters.isDigit)
        {
            // `make -j 8`: make reads digits after the option as its value; another command may read an operand.
            index += 1
            try check(words[index - 1], as: .path)
        } else if option.attached == .measured, index < words.count, !WordShapes.isOption(words[index].value) {
            // pytest reads the next word as the option's value, the row as an operand: check the word as both.
            try check(words[index], as: .measured)
            measured.append(words[index])
        }
    }

    /// Checks `--name=value`, and `-name=value` if the program's parser reads that as a value. Returns false for any
    /// other word.
    private mutating func named(_ word: ShellWord) throws(Refusal) -> Bool {
        let value = word.value
        guard let parser = row.parser, let sign = value.utf8.firstIndex(of: UInt8(ascii: "=")),
            let found = known(String(value[..<sign])), !found.isFlag
        else { return false }
        let isLong = value.utf8.starts(with: "--".utf8) && parser.readsLongValues
        guard isLong || parser.readsNamesBehindOneDash else { return false }
        try attached(found, String(value[value.utf8.index(after: sign)...]), word)
        return true
    }

    private mutating func attached(_ option: CommandRow.Option, _ value: String, _ word: ShellWord) throws(Refusal) {
        guard let kind = option.attached ?? option.value else { throw .option(word.value) }
        try check(value: ShellWord(value), as: kind)
    }

    /// Checks an option's value. A pattern or a program in an option replaces the first operand.
    private mutating func check(value: ShellWord, as kind: ArgumentKind) throws(Refusal) {
        if kind == .pattern || kind.isProgram { hasPattern = true }
        if kind == .glob { globs.append(value.value) }
        try check(value, as: kind)
    }

    /// Checks `-la` or `-n5` letter by letter. For a parser without bundles the word is one letter with its value,
    /// which is accepted if the row allows an attached value.
    private mutating func short(_ word: ShellWord) throws(Refusal) {
        let letters = Array(word.value.utf8.dropFirst())
        for (position, letter) in letters.enumerated() {
            guard let parser = row.parser, letter < 0x80,
                let found = row.options["-" + String(UnicodeScalar(letter))]
            else { throw .option(word.value) }
            var rest = letters[(position + 1)...]
            guard parser.readsBundles || (position == 0 && found.attached != nil) else { throw .option(word.value) }
            if rest.isEmpty { return try whole(found, word) }
            if found.readsBelow { readsBelow = true }
            if found.isFlag { continue }
            if rest.first == UInt8(ascii: "=") { rest = try value(rest, of: word, parser) }
            return try attached(found, String(decoding: rest, as: UTF8.self), word)
        }
    }

    /// The value of `=5` after a letter: some parsers drop the sign, some keep it. Throws where that is unknown.
    private func value(
        _ rest: ArraySlice<UInt8>, of word: ShellWord, _ parser: ProgramParser
    ) throws(Refusal) -> ArraySlice<UInt8> {
        switch parser {
        case .clap, .pflag: rest.dropFirst()
        case .getopt, .getoptLong: rest
        case .argparse, .flag, .mri, .own, .yargs: throw .option(word.value)
        }
    }
}

// MARK: - Operands

extension CommandMatch {
    private mutating func checkOperands() throws(Refusal) {
        var kinds = row.operands
        if hasPattern, let first = kinds.first, first == .text || first.isProgram { kinds.removeFirst() }
        if readsBelow || kinds.last == .tree { try checkBelow() }
        if let kind = kinds.last, kind == .formatted || kind == .staged { try checkTaken(operands, as: kind) }
        let before = dashes ?? operands.count
        for (position, word) in operands[..<before].enumerated() {
            guard position < kinds.count || row.repeats, let last = kinds.last else { throw .tooMany(word.value) }
            let isRepeated = row.repeats && position >= kinds.count - 1
            try check(word, as: position < kinds.count ? kinds[position] : last, mayExpand: isRepeated)
        }
        homes =
            row.start == "rg" && row.keyOptions.isEmpty
            ? try Search.homes(below: hasPattern ? operands[...] : operands.dropFirst(), of: words, globs, in: place)
            : try OperandSettings.homes(of: operands, by: row, among: words, in: place)
        try checkSharedSettings(homes)
        // Without another operand pytest looks for tests by itself.
        if let word = measured.last, operands.count <= measured.count { throw .operand(word.value) }
        if operands.isEmpty { try checkDirectoryItself() }
        if operands.isEmpty, row.words.last == "unittest" { key.append(".") }
        guard dashes != nil else { return }
        guard row.behindDashes != nil || kinds.contains(where: { $0.behindDashes != nil }) else { throw .option("--") }
        pass("--")
        if row.behindDashes == .lints { try checkLints(operands[before...]) }
        for (position, word) in operands[before...].enumerated() {
            let kind = try kindBehindDashes(before + position, kinds, word)
            try check(word, as: kind, mayExpand: kind.isPaths)
        }
    }

    /// Checks the operands after the pattern of a recursive search. Without any, the search reads the directory itself.
    ///
    /// Claude Code's own shell replaces `grep` by ugrep, which reads a directory operand even without `-r`.
    private func checkBelow() throws(Refusal) {
        let paths = hasPattern ? operands[...] : operands.dropFirst()
        var left = Place.mostNamesBelow
        for word in paths.isEmpty && readsBelow ? [ShellWord(".")] : Array(paths) {
            let isGlob = word.marks == .glob && !word.isQuoted
            guard word.marks.isEmpty || isGlob else { throw .expansion(word.value) }
            for path in isGlob ? try place.expansions(ofGlob: word.value) : [word.value] {
                try place.checkBelow(path, left: &left)
            }
        }
    }

    private func kindBehindDashes(
        _ position: Int, _ kinds: [ArgumentKind], _ word: ShellWord
    ) throws(Refusal) -> ArgumentKind {
        let kind = try ownKind(behindDashes: position, kinds, word)
        // pytest searches for `-p PLUGIN` after `--`, too.
        guard Self.takesOptions(kind) || !WordShapes.isOption(word.value) else { throw .option(word.value) }
        return kind
    }

    private func ownKind(
        behindDashes position: Int, _ kinds: [ArgumentKind], _ word: ShellWord
    ) throws(Refusal) -> ArgumentKind {
        if let kind = row.behindDashes { return kind }
        guard position < kinds.count || row.repeats, let last = kinds.last,
            let kind = (position < kinds.count ? kinds[position] : last).behindDashes
        else { throw .tooMany(word.value) }
        return kind
    }

    /// - Parameter mayExpand: whether several words of the same kind may stand here.
    private mutating func check(
        _ word: ShellWord, as kind: ArgumentKind, mayExpand: Bool = false
    ) throws(Refusal) {
        switch kind {
        case .target: key.append(word.value)
        case .place: key.append(try place.named(word))
        case .directory where isStartOfDiscovery:
            key.append(try place.named(word))
            startsInPackages = try place.isOfPackages(directory: word.value)
        case .project where !place.isOwnProject(word.value): key.append(try place.named(word))
        case .item where startsOwnHarness, .args, .harness: pass(word.value)
        case .module where place.isPythonFile(word.value):
            if try !place.isOfPackages(pythonFile: word.value) { key.append(try place.named(word)) }
            return try check(word, as: .path)
        case .module: key.append(word.value)
        default: break
        }
        try ArgumentCheck(place: place, row: row, mayExpand: mayExpand).check(word, as: kind)
    }
}
