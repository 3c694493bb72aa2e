/// Finds likely commands in any line, also in a line that `ShellSplitter` does not understand, for deny rules.
///
/// The result is an approximation: substitutions are searched, reserved words and assignments are skipped, and the rest
/// is taken for commands. Finding more commands than would run is harmless here. What must not happen is that a quote is
/// taken to begin or end elsewhere than in a shell: whatever follows would be taken for text.
package struct ShellGlance {
    /// Substitutions nested deeper than this are not searched.
    private static let deepest = 16
    /// Each search for the end of a here document that has none reads the rest of the line.
    private static let mostMissedEnds = 16

    /// The line itself, or one substitution.
    struct Level {
        /// The byte that ends it: `)` or a backtick.
        var end: UInt8?
        var commands: [[String]] = []
        /// The words of the command that is being read.
        var words: [String] = []
        /// The commands of substitutions in `words`.
        var inner: [[String]] = []
        var hereDocuments: [[UInt8]] = []
        var openParentheses = 0
        /// The parentheses that are open where `((` began: up to its end `<<` shifts a number.
        var arithmetic: Int?
        /// In `${x/ #/}` no comment begins.
        var openBraces = 0
        /// In `case` a `)` ends a pattern.
        var openCases = 0
    }

    let bytes: [UInt8]
    var position = 0
    private(set) var level = Level()
    private var depth = 0
    private var missedEnds = 0

    /// The words of every command found, after quote removal, each before those of its substitutions. No list is empty.
    package static func commands(in line: String) -> [[String]] {
        var glance = ShellGlance(bytes: Array(line.utf8))
        glance.scan()
        return glance.level.commands
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    func byte(at offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    mutating func append(_ word: String) { level.words.append(word) }

    mutating func openBraces(by count: Int) { level.openBraces = max(0, level.openBraces + count) }

    /// Reads to the end of the level, and past the byte that ends it.
    private mutating func scan() {
        while let next = byte(at: position) {
            switch next {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "#") where level.openBraces == 0: skipLine()
            case UInt8(ascii: "<"), UInt8(ascii: ">"): redirection()
            case _ where ShellCharacters.isDelimiter(next) || next == level.end:
                endCommand()
                position += 1
                if closesLevel(next) { return }
                if next == UInt8(ascii: "\n") { skipHereDocuments() }
            default: word()
            }
        }
        endCommand()
    }

    /// Notes a parenthesis. Returns true for the one that ends the level.
    private mutating func closesLevel(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "(") {
            if level.arithmetic == nil, self.byte(at: position) == byte { level.arithmetic = level.openParentheses }
            level.openParentheses += 1
        }
        guard byte == UInt8(ascii: ")") else { return byte == level.end }
        if level.openParentheses > 0 {
            level.openParentheses -= 1
            if level.openParentheses == level.arithmetic { level.arithmetic = nil }
            return false
        }
        return byte == level.end && level.openCases == 0
    }

    /// Searches a substitution, whose quotes and here documents are independent of those outside.
    /// - Parameter opening: the bytes of its opening, `$(` or a backtick.
    mutating func substitution(opening: Int) {
        position += opening
        guard depth < Self.deepest else { return }
        var other = Level(end: opening == 1 ? UInt8(ascii: "`") : UInt8(ascii: ")"))
        swap(&level, &other)
        depth += 1
        scan()
        depth -= 1
        swap(&level, &other)
        level.inner += other.commands
    }

    private mutating func endCommand() {
        var command = CommandPrefix.withoutTimeout(behindTime(level.words.drop { Self.isPassedOver($0) }))
        if command.first == "function" { command = command.dropFirst(2).drop { Self.isPassedOver($0) } }
        if command.first == "case" { level.openCases += 1 }
        if command.first == "esac" { level.openCases = max(0, level.openCases - 1) }
        if !command.isEmpty { level.commands.append(Array(command)) }
        level.commands += level.inner
        level.words.removeAll()
        level.inner.removeAll()
    }

    /// Without the option of the reserved word `time` in front: `time -p ls`.
    private func behindTime(_ words: ArraySlice<String>) -> ArraySlice<String> {
        guard words.startIndex > 0, level.words[words.startIndex - 1] == "time" else { return words }
        return words.drop { $0 == "-p" || $0 == "--" || Self.isPassedOver($0) }
    }

    /// True if a word can precede a command: a reserved word or an assignment.
    private static func isPassedOver(_ word: String) -> Bool {
        if reserved.contains(word) || word.isEmpty { return true }
        guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), sign > word.startIndex else { return false }
        // Also `name+=value` and `name[index]=value`.
        let rest = word.utf8[..<sign].drop { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        return rest.isEmpty || rest.startIndex > word.startIndex && (rest.elementsEqual("+".utf8) || rest.first == 0x5B)
    }

    private static let reserved: Set<String> = [
        "!", "coproc", "do", "elif", "else", "if", "nocorrect", "then", "time", "until", "while", "{", "}",
    ]
}

// MARK: - Redirections and here documents

extension ShellGlance {
    private mutating func skipLine() {
        position = endOfLine(from: position)
    }

    private func endOfLine(from start: Int) -> Int {
        bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }

    /// Longer operators come first.
    private static let operators = ["<<<", "<<-", "<<", "<&", "<>", ">>", ">&", ">|", "<", ">"].map { Array($0.utf8) }

    /// Skips the operator and its target. Remembers the delimiter of a here document.
    private mutating func redirection() {
        // In `2>x` the digits belong to the operator.
        if position > 0, ShellCharacters.isDigit(bytes[position - 1]),
            level.words.last?.utf8.allSatisfy(ShellCharacters.isDigit) == true
        {
            level.words.removeLast()
        }
        guard let found = Self.operators.first(where: { bytes[position...].starts(with: $0) }) else { return }
        position += found.count
        while let next = byte(at: position), next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") || isContinued {
            position += isContinued ? 2 : 1
        }
        let before = level.words.count
        if let next = byte(at: position), !ShellCharacters.isDelimiter(next) { word() }
        guard level.words.count > before else { return }
        let target = level.words.removeLast()
        if level.arithmetic == nil, found.elementsEqual("<<".utf8) || found.elementsEqual("<<-".utf8) {
            level.hereDocuments.append(Array(target.utf8))
        }
    }

    /// True at a backslash that joins two lines.
    var isContinued: Bool {
        byte(at: position) == UInt8(ascii: "\\") && byte(at: position + 1) == UInt8(ascii: "\n")
    }

    /// Without an end there is no here document: `<<` also shifts a number.
    private mutating func skipHereDocuments() {
        for word in level.hereDocuments {
            guard missedEnds < Self.mostMissedEnds else { break }
            guard let end = endOfHereDocument(word) else {
                missedEnds += 1
                break
            }
            position = end
        }
        level.hereDocuments.removeAll()
    }

    /// The offset behind the first line that is `word`. In a substitution bash also ends the text at `word)`.
    private func endOfHereDocument(_ word: [UInt8]) -> Int? {
        var start = position
        while start < bytes.count {
            let end = endOfLine(from: start)
            let line = bytes[start..<end].drop { $0 == UInt8(ascii: "\t") }
            if line.starts(with: word) {
                let rest = line.dropFirst(word.count)
                if rest.isEmpty || (rest.first == UInt8(ascii: ")") && level.end == rest.first) {
                    return rest.startIndex
                }
            }
            start = end + 1
        }
        return nil
    }
}
