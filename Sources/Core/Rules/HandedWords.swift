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
        /// An option, a setting, a number, a host: the key has it, but what was approved without it covers it.
        case detail
        /// A file, a path, or to a check also a name.
        case operand
    }

    private var words: [(text: String, kind: Kind)] = []
    /// Words that stand for directories and tests rather than for what is to be done: to `npm run lint`.
    private let namesAreOperands: Bool
    private let settingsAreOrders: Bool

    /// - Parameters:
    ///   - isCheck: a bare word is the name of a directory or a test.
    ///   - isFile: a script of its own, which may be told by `--mode=publish` what to do.
    init(isCheck: Bool, isFile: Bool) {
        namesAreOperands = isCheck
        settingsAreOrders = isFile
    }

    /// `--` in front of all others ends the options of what runs the script.
    mutating func append(_ word: String) {
        words.append((word, words.isEmpty && word == "--" ? .operand : kind(of: word)))
    }

    /// The words of the key: all but operands at the end, and what undoes nothing there.
    func ofKey() throws(Refusal) -> [String] {
        guard words.contains(where: { $0.kind != .operand }) else { return [] }
        let isLoose = !words.contains { $0.kind == .detail }
        var rest = words[...]
        while let last = rest.last,
            last.kind == .operand && (isLoose || Self.isSourceFile(last.text)) || Self.onlySaysMore(last.text)
        {
            rest.removeLast()
        }
        if rest.count == 1, rest.first?.text == "--" { return [] }
        return try rest.map { word throws(Refusal) in try Self.asOfKey(word.text) }
    }

    /// The words of the rule that covers the call, too, as it was granted without details; nil where there is none.
    func withoutDetails() throws(Refusal) -> [String]? {
        guard let first = words.firstIndex(where: { $0.kind == .detail }) else { return nil }
        // Behind an option an order may be that one's value: `-m staging`.
        guard !words[first...].contains(where: { $0.kind == .order }) else { return nil }
        var before = self
        before.words = Array(words[..<first])
        return try before.ofKey()
    }

    private func kind(of word: String) -> Kind {
        if WordShapes.isBareWord(word) { return namesAreOperands ? .operand : .order }
        if Self.isOption(word) { return settingsAreOrders && WordShapes.isOrder(word) ? .order : .detail }
        let isPath = word.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "*") }
        return namesAreOperands || isPath || Self.isSourceFile(word) ? .operand : .detail
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

    /// Behind all other words it undoes nothing.
    private static func onlySaysMore(_ word: String) -> Bool { word == "--verbose" || word == "--quiet" }

    /// A file of a program's source, or a test in one: `src/a.test.ts`, `tests/test_a.py::test_b`.
    private static func isSourceFile(_ word: String) -> Bool {
        guard !isOption(word), let name = PathText.components(word).last else { return false }
        let pieces = name.prefix { $0 != UInt8(ascii: ":") }.split(separator: UInt8(ascii: "."))
        return pieces.count > 1 && WordShapes.isOfSource(Substring(pieces[pieces.count - 1]))
    }
}
