/// The arguments that a command passes on to a script or a test runner, and which of them belong to the key.
///
/// The meaning of an argument is unknown: a number, a file or the letters after `-C` may be a host to contact, a
/// program to run or the action itself. So an approval covers exactly these words. An approval with fewer words covers
/// only additional flags after them.
struct PassedArguments {
    /// The receiver of the arguments, as far as the line shows.
    enum Use {
        case script
        /// A script that runs tests, by its name and by its last command.
        case test
        /// Rust's test harness, which takes only names of tests and options of its own.
        case harness

        /// - Parameters:
        ///   - name: the script's name, if the command gives it.
        ///   - words: all words of the command.
        init(_ row: CommandRow, name: String?, among words: [ShellWord], at place: Place) {
            let name = row.slot == .name ? name : row.words.last
            let isFile = row.slot == .file || row.slot == .directory || row.takesAll
            if row.behindDashes == .harness {
                let benches = words.contains { word in
                    ["--all-targets", "--bench"].contains { word.value.utf8.starts(with: $0.utf8) }
                }
                self = place.hasOwnHarness(benches: benches) ? .script : .harness
            } else {
                let runsTests = name.map {
                    TestArguments.isScript($0) && TestScript.takesFiles($0, of: row.words.first, at: place)
                }
                self = !isFile && runsTests == true ? .test : .script
            }
        }
    }

    /// The possible meaning of a word to the script.
    private enum Kind {
        /// A word that may decide what is done. It is part of the key.
        case order
        /// An option without a value. It is part of the key, but an approval without it covers it.
        case flag
        /// A word that selects tests. It is not part of the key.
        case test
    }

    private var words: [(text: String, kind: Kind)] = []
    private let use: Use

    init(of use: Use) { self.use = use }

    mutating func append(_ word: String) {
        let kind = kind(of: word)
        // The option before a test's name belongs to that name.
        if kind == .test, let last = words.indices.last, TestArguments.takesName(words[last].text) {
            words[last].kind = .test
        }
        words.append((word, kind))
    }

    private func kind(of word: String) -> Kind {
        // As the first word `--` ends the options of the program that runs the script.
        if words.isEmpty, word == "--" { return .order }
        switch use {
        case .harness: return word == "--list" ? .flag : .test
        case .test where TestArguments.isFree(word, behind: words.last?.text): return .test
        case .script, .test: return Self.isFlag(word) ? .flag : .order
        }
    }

    /// The words that belong to the key, quoted where needed.
    func ofKey() throws(Refusal) -> [String] {
        // Next to other words, a word that looks like a test may be the value of one of them. With the harness even
        // `--list` may be an option's value.
        let isAlone = use != .harness && !words.contains { $0.kind == .order && $0.text != "--" }
        var rest = words.filter { $0.kind != .test || !isAlone }[...]
        while let last = rest.last, last.kind == .test || Self.onlySaysMore(last.text) { rest.removeLast() }
        if rest.count == 1, rest.first?.text == "--" { return [] }
        return try rest.map { word throws(Refusal) in try Self.asOfKey(word.text) }
    }

    /// The words of a key with the same orders alone, which covers the call, too; nil where there is none.
    func ofOrders() throws(Refusal) -> [String]? {
        let orders = words.prefix { $0.kind == .order }
        // After an option an order may be the option's value: `-m staging`.
        guard orders.count < words.count, !words[orders.count...].contains(where: { $0.kind == .order }) else {
            return nil
        }
        var alone = self
        alone.words = Array(orders)
        return try alone.ofKey()
    }
}

// MARK: - Words

extension PassedArguments {
    /// The word as it is written in a key, whose words are separated by spaces.
    private static func asOfKey(_ word: String) throws(Refusal) -> String {
        guard word.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "*") }) else { throw .operand(word) }
        return word.utf8.allSatisfy(isPlain) && !word.isEmpty ? word : shellQuoted(word)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        ShellCharacters.isOrdinary(byte) || byte == UInt8(ascii: "=")
    }

    /// True if the word is an option without a value: `--fix`, `-v`, `-vvv`. Different letters after one dash may be an
    /// option and its value, `-Cui`.
    private static func isFlag(_ word: String) -> Bool {
        guard word.utf8.first == UInt8(ascii: "-"), let second = word.utf8.dropFirst().first else { return false }
        if second == UInt8(ascii: "-") {
            return word.utf8.count > 2
                && word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_-".utf8.contains($0) }
        }
        let isAlone = word.utf8.count == 2 || "qv".utf8.contains(second)
        return isAlone && ShellCharacters.isLetter(second) && word.utf8.dropFirst().allSatisfy { $0 == second }
    }

    /// True if the option only changes the amount of output. After all other words it cannot undo one of them.
    private static func onlySaysMore(_ word: String) -> Bool { word == "--verbose" || word == "--quiet" }
}
