/// What a command hands on as it is written, to a script or a test, and what of it belongs to the key.
///
/// Of the words under which a script does less than without them there is no end, and another word before, between or behind
/// may be what undoes `--dry-run`, takes it for a value or ends the options. So whoever approves a call with words approves
/// these; whoever approves it without, flags, and to a file also numbers and paths.
struct HandedWords {
    /// What is run, as far as the line tells.
    enum Use {
        /// A file: `./run.sh`, `python3 gen.py`.
        case file
        /// A script of a package by its name. What it is made of, and what that takes a word for, nobody knows.
        case name
        /// A script whose name says that it runs tests.
        case test
        /// The tests of Rust, whose harness takes nothing else.
        case harness

        /// - Parameter name: of the script, where the line gives it.
        init(_ row: CommandRow, name: String?) {
            let name = row.slot == .name ? name : row.words.last
            if row.behindDashes == .harness || row.operands.contains(where: { $0.behindDashes == .harness }) {
                self = .harness
            } else if row.slot == .file || row.slot == .directory || row.takesAll {
                self = .file
            } else {
                self = name.map(HandedTests.isScript) == true ? .test : .name
            }
        }
    }

    /// What a word may be to the script.
    private enum Kind {
        /// It may say what is to be done.
        case order
        /// An option or a number: the key has it, but what was approved without it covers it.
        case detail
        /// A file.
        case operand
    }

    private var words: [(text: String, kind: Kind)] = []
    private let use: Use

    /// Stands in a key for files at the end, whichever they are.
    private static let paths = "<paths>"

    init(of use: Use) { self.use = use }

    mutating func append(_ word: String) {
        words.append((word, kind(of: word)))
    }

    private func kind(of word: String) -> Kind {
        // In front of all others it ends the options of what runs the script.
        if words.isEmpty, word == "--" { return .order }
        switch use {
        case .harness: return word == "--list" ? .detail : .operand
        case .test where HandedTests.isFree(word, behind: words.last?.text): return .operand
        case .name, .test: return Self.isFlag(word) ? .detail : .order
        case .file: break
        }
        if Self.isFlag(word) || Self.isNumber(word) { return .detail }
        if Self.isOption(word) { return Self.carriesOrder(word) ? .order : .detail }
        // `--config x.js`: what takes it may run it.
        let isTaken = words.last.map { Self.isFlag($0.text) } == true
        return Self.isPath(word) && !(isTaken && Self.hasSuffix(word, Self.isLoaded)) ? .operand : .order
    }

    /// The words of the key.
    func ofKey() throws(Refusal) -> [String] {
        let isLoose = !words.contains { $0.kind == .detail }
        var rest = (use == .test ? words.filter { $0.kind != .operand } : words)[...]
        var endsWithPaths = false
        while let last = rest.last {
            // Behind an option a file of data may be what that one takes.
            let isPath = last.kind == .operand && (isLoose || Self.hasSuffix(last.text, WordShapes.isOfSource))
            guard isPath || Self.onlySaysMore(last.text) else { break }
            if isPath { endsWithPaths = true }
            rest.removeLast()
        }
        if rest.count == 1, rest.first?.text == "--", !endsWithPaths || use != .file { return [] }
        let written = try rest.map { word throws(Refusal) in try Self.asOfKey(word.text) }
        return endsWithPaths && use == .file ? written + [Self.paths] : written
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

    /// `--fix`, `-nv`: an option that has no value with it.
    private static func isFlag(_ word: String) -> Bool {
        guard word.utf8.first == UInt8(ascii: "-"), word != "-", word != "--" else { return false }
        return word.utf8.allSatisfy { ShellCharacters.isAlphanumeric($0) || "_-".utf8.contains($0) }
            && (word.utf8.starts(with: "--".utf8) || word.utf8.count <= 4)
    }

    /// Anything but a number from 2 on and a file's path stands behind the sign.
    private static func carriesOrder(_ option: String) -> Bool {
        guard option.utf8.first == UInt8(ascii: "-"), let sign = option.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return true
        }
        let value = String(option[option.utf8.index(after: sign)...])
        return value == "0" || value == "1" || !isNumber(value) && (!isPath(value) || hasSuffix(value, isLoaded))
    }

    /// With one dot at most: more have versions and addresses.
    private static func isNumber(_ word: String) -> Bool {
        word == "-"
            || !word.isEmpty && word.utf8.allSatisfy { ShellCharacters.isDigit($0) || $0 == UInt8(ascii: ".") }
                && word.utf8.count { $0 == UInt8(ascii: ".") } <= 1
    }

    /// Of plain characters, with a usual suffix: without it it may be a branch, and whatever exists may be the name of an order,
    /// too. Without a `/` it may be a host (`evil.md`).
    private static func isPath(_ word: String) -> Bool {
        (word.utf8.contains(UInt8(ascii: "/")) || !hasSuffix(word, mayEndHost))
            && word.utf8.allSatisfy { ShellCharacters.isFirstWord($0) || "*[]".utf8.contains($0) || $0 >= 0x80 }
            && WrittenNames.hasKnownSuffix(SensitiveNames.folded(word.utf8))
    }

    /// Countries have two letters.
    private static func mayEndHost(_ suffix: Substring) -> Bool {
        suffix.utf8.count == 2 || ["dot", "org"].contains(suffix.lowercased())
    }

    /// The suffix of a language whose programs are read as they start.
    private static func isLoaded(_ suffix: Substring) -> Bool { loaded.contains(suffix.lowercased()) }

    private static let loaded: Set<String> = [
        "cjs", "cts", "js", "jsx", "lua", "mjs", "mts", "php", "pl", "py", "rb", "sh", "ts", "tsx",
    ]

    /// What follows the last dot is one of these.
    private static func hasSuffix(_ word: String, _ isKnown: (Substring) -> Bool) -> Bool {
        guard let name = PathText.components(word).last else { return false }
        let pieces = name.split(separator: UInt8(ascii: "."))
        return pieces.count > 1 && isKnown(Substring(pieces[pieces.count - 1]))
    }

    /// Behind all other words it undoes nothing.
    private static func onlySaysMore(_ word: String) -> Bool { word == "--verbose" || word == "--quiet" }
}
