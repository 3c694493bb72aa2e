/// What a command hands on as it is written, to a script or a test, and what of it belongs to the key.
///
/// Of the words under which a script does less than without them there is no end, and another word before, between or behind
/// may be what undoes `--dry-run`, takes it for a value or ends the options. So whoever approves a call with words approves
/// these; whoever approves it without, options, numbers and files.
struct HandedWords {
    /// What is run, as far as its name tells.
    enum Use {
        /// Tests. Which, and how that is shown, may be said; but a script of that name may do anything with other words.
        case test
        /// The tests of Rust, whose harness takes nothing else.
        case harness
        case any
    }

    /// What a word may be to the script.
    private enum Kind {
        /// It may say what is to be done.
        case order
        /// An option or a number: the key has it, but what was approved without it covers it.
        case detail
        /// A file or a directory.
        case operand
    }

    private var words: [(text: String, kind: Kind)] = []
    private let use: Use

    /// Stands in a key for files at the end, whichever they are.
    private static let paths = "<paths>"

    init(of use: Use) { self.use = use }

    /// - Parameter isThere: a file or directory of this name exists.
    mutating func append(_ word: String, isThere: () -> Bool) {
        words.append((word, kind(of: word, isThere)))
    }

    private func kind(of word: String, _ isThere: () -> Bool) -> Kind {
        // In front of all others it ends the options of what runs the script.
        if words.isEmpty, word == "--" { return .order }
        switch use {
        case .harness: return word == "--list" ? .detail : .operand
        case .test where words.last.map { HandedTests.isName(of: $0.text) } == true || HandedTests.isFree(word):
            return .operand
        case .test, .any: break
        }
        if Self.isOption(word) { return Self.carriesOrder(word) ? .order : .detail }
        if Self.isNumber(word) { return .detail }
        guard use == .any, Self.isPath(word, isThere) else { return .order }
        // `--config x.js`: what takes it may run it.
        let isTaken = words.last.map { Self.isOption($0.text) && !$0.text.utf8.contains(UInt8(ascii: "=")) } == true
        return isTaken && Self.hasSuffix(word, Self.isLoaded) ? .order : .operand
    }

    /// The words of the key.
    func ofKey() throws(Refusal) -> [String] {
        let isLoose = !words.contains { $0.kind == .detail }
        var rest = words[...]
        var endsWithPaths = false
        while let last = rest.last {
            // Behind an option a file of data may be what that one takes.
            let isPath = last.kind == .operand && (isLoose || Self.hasSuffix(last.text, WordShapes.isOfSource))
            guard isPath || Self.onlySaysMore(last.text) else { break }
            if isPath { endsWithPaths = true }
            rest.removeLast()
        }
        if rest.count == 1, rest.first?.text == "--", !endsWithPaths || use != .any { return [] }
        let written = try rest.map { word throws(Refusal) in try Self.asOfKey(word.text) }
        return endsWithPaths && use == .any ? written + [Self.paths] : written
    }

    /// The words of the rule that covers the call, too, as it was granted for the same orders alone; nil where there is none.
    func ofOrders() throws(Refusal) -> [String]? {
        let orders = words.prefix { $0.kind == .order }
        // Behind an option an order may be that one's value: `-m staging`.
        guard orders.count < words.count, !words[orders.count...].contains(where: { $0.kind == .order }) else {
            return nil
        }
        var alone = self
        alone.words = Array(orders)
        return try alone.ofKey()
    }
}

// MARK: - Words

extension HandedWords {
    /// The word as it stands in a key, whose words are told apart by blanks.
    private static func asOfKey(_ word: String) throws(Refusal) -> String {
        guard word.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "*") }) else { throw .operand(word) }
        return word.utf8.allSatisfy(isPlain) && !word.isEmpty ? word : shellQuoted(word)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        ShellCharacters.isOrdinary(byte) || byte == UInt8(ascii: "=")
    }

    /// `--dry-run`, `-n`, `--mode=test`; also `APPLY=1`.
    private static func isOption(_ word: String) -> Bool {
        (word.utf8.first == UInt8(ascii: "-") && word != "-") || word.utf8.contains(UInt8(ascii: "="))
    }

    /// With it stands what may say what is to be done: anything but a number from 2 on and a file's path. An option alone
    /// has letters and dashes, a bundle few.
    private static func carriesOrder(_ option: String) -> Bool {
        guard let sign = option.utf8.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else {
            let isLong = option.utf8.starts(with: "--".utf8)
            return !option.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_-".utf8.contains($0) }
                || !isLong && option.utf8.count > 4
        }
        let value = String(option[option.utf8.index(after: sign)...])
        if option.utf8.first != UInt8(ascii: "-") || value == "0" || value == "1" { return true }
        return !isNumber(value) && (hasSuffix(value, isLoaded) || !isPath(value) { false })
    }

    private static func isNumber(_ word: String) -> Bool {
        word == "-" || !word.isEmpty && word.utf8.allSatisfy { ShellCharacters.isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// Of plain characters, and known by its suffix or because it exists.
    private static func isPath(_ word: String, _ isThere: () -> Bool) -> Bool {
        let path = word.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard path.allSatisfy({ ShellCharacters.isFirstWord($0) || "*[]@".utf8.contains($0) || $0 >= 0x80 }),
            path.first != UInt8(ascii: "@"), word.utf8.dropFirst(path.count).allSatisfy(isOfTest)
        else { return false }
        return hasSuffix(word, { WrittenNames.hasKnownSuffix(SensitiveNames.folded(("." + $0).utf8)) })
            || !path.isEmpty && isThere()
    }

    /// The suffix of a language whose programs are read as they start.
    private static func isLoaded(_ suffix: Substring) -> Bool { loaded.contains(suffix.lowercased()) }

    private static let loaded: Set<String> = [
        "cjs", "cts", "js", "jsx", "lua", "mjs", "mts", "php", "pl", "py", "rb", "sh", "ts", "tsx",
    ]

    /// `::test_a`, `:12`.
    private static func isOfTest(_ byte: UInt8) -> Bool {
        ShellCharacters.isAlphanumeric(byte) || ":_".utf8.contains(byte)
    }

    /// What follows the last dot of a file's name, and before a `:`, is one of these.
    private static func hasSuffix(_ word: String, _ isKnown: (Substring) -> Bool) -> Bool {
        guard let name = PathText.components(word).last else { return false }
        let pieces = name.prefix { $0 != UInt8(ascii: ":") }.split(separator: UInt8(ascii: "."))
        return pieces.count > 1 && isKnown(Substring(pieces[pieces.count - 1]))
    }

    /// Behind all other words it undoes nothing.
    private static func onlySaysMore(_ word: String) -> Bool { word == "--verbose" || word == "--quiet" }
}
