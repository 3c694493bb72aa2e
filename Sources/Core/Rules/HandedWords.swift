/// What a command hands on as it is written, to a script or a test, and what of it belongs to the key.
///
/// Of the words under which a script does less than without them there is no end, and another word before, between or behind
/// may be what undoes `--dry-run`, takes it for a value or ends the options. So whoever approves a call with words approves
/// these; whoever approves it without, all but those that say what is to be done.
struct HandedWords {
    /// What a word may be to the script.
    private enum Kind {
        /// `staging`, `--mode=publish`: says what is to be done.
        case order
        /// An option or a number: the key has it, but what was approved without it covers it.
        case detail
        /// A path or a file, or to a check also a name.
        case operand
    }

    private var words: [(text: String, kind: Kind)] = []
    private let use: Use

    /// Stands in a key for files at the end, whichever they are. Behind an option a file of data may be what that one takes.
    private static let paths = "<paths>"

    /// What is run, as far as its name tells.
    enum Use {
        /// It runs tests, unless it is told to name them only.
        case test
        /// It looks at files, and may rewrite them: bare words are names of directories.
        case check
        case any
    }

    init(of use: Use) { self.use = use }

    /// `--` in front of all others ends the options of what runs the script.
    mutating func append(_ word: String) {
        words.append((word, words.isEmpty && word == "--" ? .order : kind(of: word)))
    }

    /// The words of the key.
    func ofKey() throws(Refusal) -> [String] {
        let isLoose = !words.contains { $0.kind == .detail }
        var rest = words[...]
        var endsWithPaths = false
        while let last = rest.last {
            let isPath = last.kind == .operand && (isLoose || Self.isSourceFile(last.text))
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

    private func kind(of word: String) -> Kind {
        if use == .test { return Self.onlyTells(word) ? .detail : .operand }
        if Self.isOption(word) { return use == .any && Self.setsOrder(word) ? .order : .detail }
        let isPath = word.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "*") }
        if isPath && !word.utf8.contains(0x20) || Self.isFile(word) { return .operand }
        if use == .check { return .operand }
        return Self.isOrder(word) ? .order : .detail
    }

    /// Any word with a letter but the name of a file.
    private static func isOrder(_ word: String) -> Bool {
        word.utf8.contains { ShellCharacters.isLetter($0) || $0 >= 0x80 } && !isFile(word)
    }

    private static func isFile(_ word: String) -> Bool {
        isSourceFile(word) || WrittenNames.hasKnownSuffix(SensitiveNames.folded(word.utf8))
    }

    /// `--mode=publish`, `APPLY=1`; not `--out=a.json`, `--limit=20`.
    private static func setsOrder(_ word: String) -> Bool {
        guard let sign = word.utf8.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else {
            return false
        }
        let value = String(word[word.utf8.index(after: sign)...])
        return isOrder(value) && !value.utf8.contains(UInt8(ascii: "/")) || value == "0" || value == "1"
    }

    /// The word as it stands in a key, whose words are told apart by blanks.
    private static func asOfKey(_ word: String) throws(Refusal) -> String {
        guard word.utf8.allSatisfy({ $0 >= 0x20 }) else { throw .operand(word) }
        return word.utf8.allSatisfy(isPlain) && !word.isEmpty ? word : shellQuoted(word)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        ShellCharacters.isOrdinary(byte) || byte == UInt8(ascii: "=")
    }

    /// `--dry-run`, `-n`, `--mode=test`, `APPLY=1`.
    private static func isOption(_ word: String) -> Bool {
        (word.utf8.first == UInt8(ascii: "-") && word != "-") || word.utf8.contains(UInt8(ascii: "="))
    }

    /// Under it runners of tests run none.
    private static func onlyTells(_ word: String) -> Bool {
        let name = word.utf8.drop { $0 == UInt8(ascii: "-") }
        guard name.count < word.utf8.count else { return false }
        return name.elementsEqual("h".utf8) || telling.contains { name.starts(with: $0.utf8) }
    }

    private static let telling = ["collect", "dry", "help", "list", "print", "show", "version"]

    /// Behind all other words it undoes nothing.
    private static func onlySaysMore(_ word: String) -> Bool { word == "--verbose" || word == "--quiet" }

    /// A file of a program's source, or a test in one: `src/a.test.ts`, `tests/test_a.py::test_b`.
    private static func isSourceFile(_ word: String) -> Bool {
        guard !isOption(word), let name = PathText.components(word).last else { return false }
        let pieces = name.prefix { $0 != UInt8(ascii: ":") }.split(separator: UInt8(ascii: "."))
        return pieces.count > 1 && WordShapes.isOfSource(Substring(pieces[pieces.count - 1]))
    }
}
