import Text

/// Finds likely commands in a text of PowerShell, for deny rules: about_Parsing and about_Quoting_Rules.
///
/// An approximation that rather finds too many: each statement, group, script block and quoted text counts as commands of its
/// own, and a group of which nobody knows the value as any word.
struct PowerShellText {
    /// The statements of the text, quoted texts among them, each as words.
    var commands: [[String]] = []
    /// False where a text is run that nobody knows here.
    var isWhole = true

    let bytes: [UInt8]
    let depth: Int
    var position = 0
    /// The statements that are open, the innermost last.
    var open: [Statement] = [Statement()]

    struct Statement {
        var words: [String] = []
        /// True behind `&` or `.`, where a variable names a program.
        var isInvoked = false
        /// True if it begins with a variable or a type.
        var isExpression: Bool { words.first?.utf8.first.map { "$[".utf8.contains($0) } ?? false }
        /// True for `@(…)`, whose words are those of the statement around it.
        var isList = false
    }

    /// The deepest nesting of groups, and of texts in texts.
    private static let deepest = 16
    static let deepestText = 4

    /// - Parameter depth: the texts around it.
    init(_ text: String, depth: Int = 0) {
        // A vertical tab and a form feed are blanks, too.
        bytes = text.utf8.map { $0 == 0x0B || $0 == 0x0C ? UInt8(ascii: " ") : $0 }
        self.depth = depth
        // Quotes, dashes and blanks have other letters too, and `u{…} stands for any.
        let isPlain = bytes.allSatisfy { $0 < 0x80 } && bytes.firstPlace(of: "`u{".utf8) == nil
        if !isPlain { isWhole = false }
        while position < bytes.count, isWhole { next() }
        while open.count > 1 { close() }
        endStatement()
    }

    func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func next() {
        let byte = bytes[position]
        switch byte {
        case _ where " \t,".utf8.contains(byte): position += 1
        case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            endStatement()
            open[open.count - 1].isInvoked = byte == UInt8(ascii: "&")
            position += 1
        case UInt8(ascii: "#"):
            while let next = self.byte(at: position), !"\r\n".utf8.contains(next) { position += 1 }
        case UInt8(ascii: "<") where self.byte(at: position + 1) == UInt8(ascii: "#"): skip(to: "#>")
        case UInt8(ascii: ">"), UInt8(ascii: "<"): redirection()
        case UInt8(ascii: "("), UInt8(ascii: "{"): openGroup(isList: false)
        case UInt8(ascii: "@") where self.byte(at: position + 1) == UInt8(ascii: "("):
            position += 1
            openGroup(isList: true)
        case UInt8(ascii: ")"), UInt8(ascii: "}"):
            if open.count > 1 { close() }
            position += 1
        default: word()
        }
    }

    private mutating func skip(to end: String) {
        while position < bytes.count, !bytes[position...].starts(with: end.utf8) { position += 1 }
        position += end.utf8.count
    }

    /// Skips the operator and its target, and the number in front.
    private mutating func redirection() {
        if let last = open[open.count - 1].words.last, last.utf8.allSatisfy({ "0123456789*".utf8.contains($0) }) {
            open[open.count - 1].words.removeLast()
        }
        while let next = byte(at: position), "<>& \t".utf8.contains(next) { position += 1 }
        let count = open[open.count - 1].words.count
        if let next = byte(at: position), !"\n;|(){}".utf8.contains(next) { word() }
        open[open.count - 1].words.removeSubrange(count...)
    }

    // MARK: - Groups

    private mutating func openGroup(isList: Bool) {
        guard open.count < Self.deepest else {
            isWhole = false
            return
        }
        let isBlock = bytes[position] == UInt8(ascii: "{")
        if !isList, !isBlock { open[open.count - 1].words.append(ShellGlance.substituted) }
        open.append(Statement(isList: isList))
        position += 1
    }

    private mutating func close() {
        let words = open[open.count - 1].words
        let isList = open[open.count - 1].isList
        endStatement()
        open.removeLast()
        if isList { open[open.count - 1].words += words }
    }

    // MARK: - Statements

    private mutating func endStatement() {
        let statement = open[open.count - 1]
        open[open.count - 1].words.removeAll()
        open[open.count - 1].isInvoked = false
        let words = Self.usual(statement.words)
        guard let name = words.first else { return }
        if Self.runsUnknown(name, words) { isWhole = false }
        guard !Launchers.takesText(name) else { return commands.append(words) }
        guard !Self.taking.contains(name) else { return commands.append(["echo"] + words.dropFirst()) }
        if statement.isInvoked || !statement.isExpression { commands.append(words) }
        let isText = { (word: String) in word.utf8.contains { " \t\n;|&`(".utf8.contains($0) } }
        let texts = words.filter { $0 != ShellGlance.substituted && isText($0) }
        for text in texts { read(text) }
        // `Start-Process git 'push origin'`
        if !texts.isEmpty { commands.append(words.flatMap { $0.split { $0 == " " }.map(String.init) }) }
    }

    /// The words with the usual names of programs.
    static func usual(_ words: [String]) -> [String] {
        words.enumerated().map { $0 == 0 ? program($1) : withoutSuffix($1) }
    }

    /// The program's name in small letters, without its directory.
    private static func program(_ word: String) -> String {
        withoutSuffix(word.lowercased().split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? word)
    }

    /// Without the suffix of programs and scripts on Windows.
    static func withoutSuffix(_ word: String) -> String {
        guard word.utf8.count > 4, word.utf8.dropLast(3).last == UInt8(ascii: ".") else { return word }
        let suffix = word.suffix(4).lowercased()
        return [".exe", ".cmd", ".bat", ".com", ".ps1"].contains(suffix) ? String(word.dropLast(4)) : word
    }

    /// True for a statement that runs a text which is computed, read or encoded.
    private static func runsUnknown(_ name: String, _ words: [String]) -> Bool {
        let operands = words.dropFirst().map { $0.lowercased() }
        switch name {
        case "iex", "invoke-expression":
            return operands.allSatisfy { $0.hasPrefix("-") }
                || operands.contains { $0.utf8.contains(UInt8(ascii: "$")) }
        case "powershell", "pwsh":
            return readsInput(operands) || operands.contains(where: isEncoded)
        default:
            return words.contains { word in
                let word = word.lowercased()
                return ["[scriptblock]", "invokescript", ".invoke"].contains { word.holds($0) }
            }
        }
    }

    /// True for PowerShell without a script or a command, or with `-` for it.
    private static func readsInput(_ operands: [String]) -> Bool {
        operands.contains("-")
            || operands.allSatisfy { $0.hasPrefix("-") } && !operands.contains { answering.contains($0) }
    }

    /// Options behind which PowerShell prints and ends.
    private static let answering: Set<String> = ["--help", "--version", "-?", "-h", "-help", "-v", "-version"]

    /// True for the option whose value is a command in Base64, or a beginning of it: `-e`, `--enc`, `/EncodedCommand`, not
    /// `-ep`, which is the execution policy (about_Pwsh).
    private static func isEncoded(_ word: String) -> Bool {
        let name = word.drop { "-/".utf8.contains($0.utf8.first ?? 0) }.prefix { $0 != ":" }
        return name.utf8.count < word.utf8.count && !name.isEmpty
            && (["ea", "ec"].contains(name) || ["encodedcommand", "encodedarguments"].contains { $0.hasPrefix(name) })
    }

    /// Cmdlets that take names and texts, and run none of them.
    private static let taking: Set<String> = [
        "add-content", "convertfrom-json", "convertto-json", "get-childitem", "get-command", "get-content", "get-help",
        "get-item", "join-path", "measure-object", "new-item", "out-file", "select-object", "select-string",
        "set-content", "set-location", "sls", "split-path", "tee-object", "test-path", "write-debug", "write-error",
        "write-host", "write-information", "write-output", "write-verbose", "write-warning",
    ]

    /// Words in front of a command.
    static let keywords: Set<String> = [
        "!", ".", "begin", "catch", "do", "else", "elseif", "end", "finally", "for", "foreach", "function", "if",
        "process", "return", "switch", "throw", "trap", "try", "until", "while",
    ]
}
