/// What a command hands on as it is written, to a script or a test, and what of it belongs to the key.
///
/// Nobody knows what a script takes a word for: a number, a file or the letters behind `-C` may be a host it speaks to, a program it
/// runs or the thing that is done. So whoever approves a call approves these very words; the call without them, or with fewer, covers
/// flags behind it and nothing else.
struct HandedWords {
    /// What is run, as far as the line tells.
    enum Use {
        case script
        /// A script that runs tests, by its name and by its last command.
        case test
        /// The tests of Rust, whose harness takes nothing else.
        case harness

        /// - Parameter name: of the script, where the line gives it.
        init(_ row: CommandRow, name: String?, at place: Place) {
            let name = row.slot == .name ? name : row.words.last
            let isFile = row.slot == .file || row.slot == .directory || row.takesAll
            if row.behindDashes == .harness || row.operands.contains(where: { $0.behindDashes == .harness }) {
                self = .harness
            } else {
                let runsTests = name.map { HandedTests.isScript($0) && TestScript.takesFiles($0, at: place) }
                self = !isFile && runsTests == true ? .test : .script
            }
        }
    }

    /// What a word may be to the script.
    private enum Kind {
        /// It may say what is to be done.
        case order
        /// The key has it, but what was approved without it covers it.
        case flag
        /// It says which tests, and is no part of the key.
        case test
    }

    private var words: [(text: String, kind: Kind)] = []
    private let use: Use

    init(of use: Use) { self.use = use }

    mutating func append(_ word: String) {
        let kind = kind(of: word)
        // The option that takes a test's name belongs to it.
        if kind == .test, let last = words.indices.last, HandedTests.takesName(words[last].text) {
            words[last].kind = .test
        }
        words.append((word, kind))
    }

    private func kind(of word: String) -> Kind {
        // In front of all others it ends the options of what runs the script.
        if words.isEmpty, word == "--" { return .order }
        switch use {
        case .harness: return word == "--list" ? .flag : .test
        case .test where HandedTests.isFree(word, behind: words.last?.text): return .test
        case .script, .test: return Self.isFlag(word) ? .flag : .order
        }
    }

    /// The words of the key.
    func ofKey() throws(Refusal) -> [String] {
        // Beside other words a test may be what one of these takes, as `--list` may be to the harness.
        let isAlone = use != .harness && !words.contains { $0.kind == .order && $0.text != "--" }
        var rest = words.filter { $0.kind != .test || !isAlone }[...]
        while let last = rest.last, last.kind == .test || Self.onlySaysMore(last.text) { rest.removeLast() }
        if rest.count == 1, rest.first?.text == "--" { return [] }
        return try rest.map { word throws(Refusal) in try Self.asOfKey(word.text) }
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

    /// `--fix`, `-v`, `-vvv`: more letters behind one dash may be an option and its value, `-Cui`.
    private static func isFlag(_ word: String) -> Bool {
        guard word.utf8.first == UInt8(ascii: "-"), let second = word.utf8.dropFirst().first else { return false }
        if second == UInt8(ascii: "-") {
            return word.utf8.count > 2
                && word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_-".utf8.contains($0) }
        }
        let isAlone = word.utf8.count == 2 || "qv".utf8.contains(second)
        return isAlone && ShellCharacters.isLetter(second) && word.utf8.dropFirst().allSatisfy { $0 == second }
    }

    /// Behind all other words it undoes nothing.
    private static func onlySaysMore(_ word: String) -> Bool { word == "--verbose" || word == "--quiet" }
}
