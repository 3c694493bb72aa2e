/// Finds the strings in a program of some language, and which of them are handed to what starts a command.
///
/// The result is an approximation, as `ShellGlance` makes one of lines.
struct CodeStrings {
    /// Languages by their comments and quotes.
    enum Language {
        /// `#`, and backticks run commands.
        case scripting
        case python
        /// `#`
        case hashed
        /// `//` and `/* */`
        case slashed
        /// `--`
        case dashed
        case awk
    }

    struct Found {
        var text: String
        /// True if what starts commands gets it.
        var isRun: Bool
        /// True unless it stands in a list with the string before.
        let isFirst: Bool
        /// True for the first string, and behind a bracket.
        let isStart: Bool

        /// True for more than a word.
        var isLine: Bool { text.utf8.contains { " \t\n;&|".utf8.contains($0) } }
    }

    private let bytes: [UInt8]
    private let language: Language
    private var position = 0
    private var found: [Found] = []
    private var word: [UInt8] = []
    private var depth = 0
    private var startsCommands = false
    /// The depth at which a name stood that starts commands.
    private var starter: Int?
    /// True if only commas and brackets stood behind the last string.
    private var isInList = false
    private var isBehindBracket = false
    /// The closing bytes that do not follow any more.
    private var missing: Set<UInt8> = []
    /// The last byte that is no blank, outside of strings and names.
    private var last: UInt8 = 0

    /// The strings, and whether the program starts any command.
    static func read(_ program: String, in language: Language) -> ([Found], startsCommands: Bool) {
        var reader = CodeStrings(bytes: Array(program.utf8), language: language)
        while reader.position < reader.bytes.count { reader.step() }
        return (reader.found, reader.startsCommands || reader.found.contains(where: \.isRun))
    }

    private init(bytes: [UInt8], language: Language) {
        self.bytes = bytes
        self.language = language
    }

    private func byte(at place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

    private func holds(_ text: String, at place: Int) -> Bool { bytes[place...].starts(with: text.utf8) }

    private mutating func step() {
        let next = bytes[position]
        if ShellCharacters.isAlphanumeric(next) || next == UInt8(ascii: "_") || next == UInt8(ascii: "$") {
            return name()
        }
        if startsComment { return skipComment() }
        if isQuote(next) { return string(next) }
        if language == .scripting, next == UInt8(ascii: "%"), takeDelimited(behind: 1) { return }
        if language == .dashed, holds("[[", at: position), takeLong() { return }
        position += 1
        pass(next)
    }

    private mutating func pass(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
            depth += 1
            isBehindBracket = true
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
            // perl: `system { "git" } "git", "push"`
            if let starter, depth < starter || depth == starter && byte == UInt8(ascii: ")") { self.starter = nil }
            isInList = false
        case UInt8(ascii: ";"), UInt8(ascii: "\n"):
            if let starter, depth <= starter { self.starter = nil }
            if byte == UInt8(ascii: ";") || depth <= 0 { isInList = false }
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "="): break
        default: if byte > 0x20 { isInList = false }
        }
        if byte > 0x20 { last = byte }
        if language == .awk, byte == UInt8(ascii: "|"), !found.isEmpty, isBehindString {
            found[found.count - 1].isRun = true
        }
        if byte > 0x20 { isBehindString = false }
    }

    /// True if nothing but blanks stood behind the last string.
    private var isBehindString = false

    private mutating func name() {
        let start = position
        position =
            bytes[start...].firstIndex { !ShellCharacters.isAlphanumeric($0) && !"_$".utf8.contains($0) } ?? bytes.count
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        if language == .scripting, Self.quoting.contains(name), takeDelimited(behind: name.utf8.count, from: start) {
            return
        }
        if Self.starters.contains(name) || name == "open" && language == .scripting {
            starter = starter ?? depth
            startsCommands = true
        }
        if Self.modules.contains(name) { startsCommands = true }
        // Bun's and zx's ``$`ls` ``.
        if name == "$", byte(at: position) == UInt8(ascii: "`") { starter = starter ?? depth }
        if name != "args" { isInList = false }
        isBehindString = false
        last = bytes[position - 1]
    }
}

// MARK: - Strings

extension CodeStrings {
    private func isQuote(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): true
        case UInt8(ascii: "'"): language != .awk
        case UInt8(ascii: "`"): language == .scripting || language == .slashed
        default: false
        }
    }

    private mutating func string(_ quote: UInt8) {
        let triple = [quote, quote, quote]
        let isTriple = bytes[position...].starts(with: triple)
        // Others end with the line, so that an apostrophe that is none does not take the rest for text.
        let spansLines = isTriple || language == .scripting || quote == UInt8(ascii: "`")
        position += isTriple ? 3 : 1
        var text: [UInt8] = []
        while let next = byte(at: position) {
            if isTriple ? bytes[position...].starts(with: triple) : next == quote { break }
            if next == UInt8(ascii: "\n"), !spansLines { break }
            position += 1
            guard next == UInt8(ascii: "\\"), let escaped = byte(at: position) else {
                text.append(next)
                continue
            }
            position += 1
            text.append(Self.escapes[escaped] ?? escaped)
        }
        position = min(bytes.count, position + (isTriple ? 3 : 1))
        add(text, isRun: quote == UInt8(ascii: "`") && language == .scripting)
    }

    private static let escapes = [UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "t"): UInt8(ascii: "\t")]

    /// Takes `%w[…]`, `%x(…)`, `qw(…)`, `qx{…}` and their like.
    private mutating func takeDelimited(behind length: Int, from start: Int? = nil) -> Bool {
        let start = start ?? position
        var open = start + length
        if start + length <= bytes.count, bytes[start] == UInt8(ascii: "%"), let letter = byte(at: open),
            "wWxqQiI".utf8.contains(letter)
        {
            open += 1
        }
        guard let first = byte(at: open), let close = Self.closing[first], !missing.contains(close) else {
            return false
        }
        guard let end = bytes[open...].dropFirst().firstIndex(of: close) else {
            // Asked again behind each opening, it would take long.
            missing.insert(close)
            return false
        }
        let isRun = bytes[start..<open].last.map { "x".utf8.contains($0) } == true
        position = end + 1
        add(Array(bytes[(open + 1)..<end]), isRun: isRun)
        return true
    }

    /// Takes Lua's `[[…]]`.
    private mutating func takeLong() -> Bool {
        guard !missing.contains(UInt8(ascii: "]")) else { return false }
        guard let end = Array(bytes[(position + 2)...]).firstPlace(of: "]]".utf8) else {
            missing.insert(UInt8(ascii: "]"))
            return false
        }
        let start = position + 2
        position = start + end.upperBound
        add(Array(bytes[start..<(start + end.lowerBound)]), isRun: false)
        return true
    }

    private static let quoting: Set<String> = ["q", "qq", "qw", "qx"]
    private static let closing: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
        UInt8(ascii: "{"): UInt8(ascii: "}"),
        UInt8(ascii: "<"): UInt8(ascii: ">"), UInt8(ascii: "|"): UInt8(ascii: "|"),
        UInt8(ascii: "/"): UInt8(ascii: "/"),
        UInt8(ascii: "!"): UInt8(ascii: "!"),
    ]

    private mutating func add(_ text: [UInt8], isRun: Bool) {
        let isPiped = language == .awk && last == UInt8(ascii: "|")
        found.append(
            Found(
                text: String(decoding: text, as: UTF8.self), isRun: isRun || starter != nil || isPiped,
                isFirst: !isInList, isStart: !isInList || isBehindBracket))
        (isInList, isBehindBracket, isBehindString) = (true, false, true)
    }
}

// MARK: - Names and comments

extension CodeStrings {
    private var startsComment: Bool {
        let isFree = position == 0 || bytes[position - 1] <= 0x20 || bytes[position - 1] == UInt8(ascii: ";")
        switch language {
        case .scripting, .python, .hashed, .awk: return bytes[position] == UInt8(ascii: "#") && isFree
        case .slashed: return holds("//", at: position) && isFree || holds("/*", at: position)
        case .dashed: return holds("--", at: position) && isFree && position > 0
        }
    }

    private mutating func skipComment() {
        if holds("/*", at: position) {
            let rest = bytes[position...].dropFirst(2)
            let end = zip(rest.indices, zip(rest, rest.dropFirst())).first {
                $1.0 == UInt8(ascii: "*") && $1.1 == UInt8(ascii: "/")
            }
            position = end.map { $0.0 + 2 } ?? bytes.count
        } else {
            position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        }
    }

    /// True for a function that starts a command.
    static func starts(_ name: String) -> Bool { starters.contains(name) }

    private static func set(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    /// Modules that do.
    private static let modules: Set<String> = [
        "Open3", "child_process", "execa", "fabric", "invoke", "pexpect", "plumbum", "sh", "subprocess", "zx",
    ]
    /// Functions that start a command, or hand a line to a shell.
    private static let starters = set(
        """
        Command Popen call capture2 capture2e capture3 check_call check_output cmd create_subprocess_exec \
        create_subprocess_shell exec execFile execFileSync execSync execa execaCommand execaCommandSync execaSync execl execle \
        execlp execlpe execute execv execve execvp execvpe getoutput getstatusoutput passthru pcntl_exec pipeline popen popen2 \
        popen2e popen3 posix_spawn posix_spawnp proc_open readpipe run runCommand shell shell_exec spawn spawnSync spawnl \
        spawnlp spawnv spawnve spawnvp spawnvpe system system2
        """)
}
