/// Finds likely commands in any line, also in a line that `ShellSplitter` does not understand, for deny rules.
///
/// The result is an approximation: substitutions are searched, reserved words and assignments are skipped, and the rest
/// is taken for commands. Finding more commands than would run is harmless here. What must not happen is that a quote is
/// taken to begin or end elsewhere than in a shell: whatever follows would be taken for text.
package struct ShellGlance {
    /// The deepest nesting that is read, whatever is nested in what: `$(`, backticks, `${` in double quotes and texts of
    /// here documents all count as one level. The reader calls itself for each, on threads with small stacks.
    static let deepest = 16

    /// The line itself, or one substitution.
    struct Level {
        /// The byte that ends it: `)` or a backtick.
        var end: UInt8?
        var commands: [[String]] = []
        /// The words of the command that is being read.
        var words: [String] = []
        /// The place among them of the first that no command follows.
        var placeOfProgram: Int?
        /// The commands of substitutions in `words`.
        var inner: [[String]] = []
        var hereDocuments: [HereDocument] = []
        /// The texts that the command gets behind `<<<`.
        var strings: [String] = []
        /// The files that the command reads behind `<`.
        var files: [String] = []
        /// True within `${ …; }`.
        var isFunction = false
        var openParentheses = 0
        /// The parentheses that are open where `((` began: up to its end `<<` shifts a number.
        var arithmetic: Int?
        /// In `${x/ #/}` no comment begins.
        var openBraces = 0
        /// True within `$((`.
        var isArithmetic = false
        /// True if a word `case` or `esac` of the command was quoted: it is no reserved word then.
        var quotesCase = false
        /// In `case` a `)` ends a pattern.
        var openCases = 0

        /// The first word that begins a command. A redirection takes its words out again.
        var program: String? {
            placeOfProgram.flatMap { words.indices.contains($0) ? words[$0] : nil }
        }

        mutating func append(_ word: String, isPassedOver: Bool) {
            if program == nil { placeOfProgram = isPassedOver ? nil : words.count }
            words.append(word)
        }
    }

    let bytes: [UInt8]
    var position = 0
    var level = Level()
    private var depth = 0
    var missedEnds = 0
    /// The texts that commands get otherwise than among their words.
    var inputs: [Input] = []
    var braceExpansion = BraceExpansion()
    /// False where the line was not read to its end: what follows may be any command.
    private(set) var isWhole = true

    /// The words of every command found, after quote removal, each before those of its substitutions. No list is empty.
    package static func commands(in line: String) -> [[String]] {
        read(line).commands
    }

    /// What was found in a line or a text.
    struct Reading {
        var commands: [[String]]
        var inputs: [Input] = []
        /// False if it was not read to its end.
        var isWhole = true
    }

    static func read(_ line: String) -> Reading {
        var glance = ShellGlance(bytes: Array(line.utf8))
        glance.scan()
        return Reading(commands: glance.level.commands, inputs: glance.inputs, isWhole: glance.isWhole)
    }

    /// What is found in the substitutions of a text.
    static func read(text: some Sequence<UInt8>) -> Reading {
        var glance = ShellGlance(bytes: [])
        let commands = glance.commandsExpanded(in: Array(text)[...])
        return Reading(commands: commands, inputs: glance.inputs, isWhole: glance.isWhole)
    }

    /// - Parameter depth: the levels around it.
    init(bytes: [UInt8], depth: Int = 0) {
        self.bytes = bytes
        self.depth = depth
    }

    /// Reads what is nested one level deeper. Beyond the deepest level nothing more of the line is read.
    mutating func nested(_ read: (inout ShellGlance) -> Void) {
        guard depth < Self.deepest else { return giveUp() }
        depth += 1
        read(&self)
        depth -= 1
    }

    /// Reads a text of the line that has its own quotes, and returns its glance.
    mutating func nested(text: [UInt8], _ read: (inout ShellGlance) -> Void) -> Level? {
        guard depth < Self.deepest else {
            giveUp()
            return nil
        }
        var glance = ShellGlance(bytes: text, depth: depth + 1)
        swap(&glance.braceExpansion, &braceExpansion)
        read(&glance)
        swap(&glance.braceExpansion, &braceExpansion)
        if !glance.isWhole { giveUp() }
        inputs += glance.inputs
        return glance.level
    }

    /// Ends the reading.
    mutating func giveUp() {
        isWhole = false
        position = bytes.count
    }

    func byte(at offset: Int) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    mutating func append(_ word: String) {
        level.append(word, isPassedOver: Self.isPassedOver(word))
        guard word.utf8.contains(UInt8(ascii: "[")) else { return }
        // Assignments, which are not among the words of a command, are looked through, too.
        guard let index = EvaluatedText.index(in: word, of: level.program) else { return }
        level.inner += commandsExpanded(in: Array(word.utf8[index...])[...])
    }

    mutating func openBraces(by count: Int) { level.openBraces = max(0, level.openBraces + count) }

    /// Reads to the end of the level, and past the byte that ends it.
    mutating func scan() {
        while let next = byte(at: position) {
            switch next {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "\\") where isContinued: position += 2
            case UInt8(ascii: "#") where level.openBraces == 0 && !isArithmetic: skipLine()
            case UInt8(ascii: "<"), UInt8(ascii: ">"): redirection()
            case UInt8(ascii: "&") where byte(at: position + 1) == UInt8(ascii: ">"): redirection()
            case _ where level.isFunction && isLoneBrace:
                if endsFunction() { return }
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
            if level.openParentheses == level.arithmetic {
                level.arithmetic = nil
                level.hereDocuments.removeAll(where: \.isInArithmetic)
            }
            return false
        }
        return byte == level.end && level.openCases == 0
    }

    /// Searches a substitution, whose quotes and here documents are independent of those outside.
    /// - Parameter opening: the bytes of its opening, such as `$(`.
    mutating func substitution(opening: Int) {
        position += opening
        var other = Level(end: UInt8(ascii: ")"))
        other.isArithmetic = byte(at: position) == UInt8(ascii: "(")
        swap(&level, &other)
        nested { $0.scan() }
        swap(&level, &other)
        level.inner += other.commands
    }

    mutating func endCommand() {
        let commands = commandsOfWords()
        noteInputs(of: commands.first ?? [])
        if !level.quotesCase {
            if commands.contains(where: { $0.first == "case" }) { level.openCases += 1 }
            if commands.contains(where: { $0.first == "esac" }) { level.openCases = max(0, level.openCases - 1) }
        }
        level.quotesCase = false
        level.commands += commands + level.inner
        level.words.removeAll()
        level.inner.removeAll()
    }

    /// Behind these a command may begin that is none at its place: `function f g { ls }`, `coproc NAME { ls; }`, and in zsh
    /// `{ … } always { ls }`, `if [[ … ]] ls`.
    private static let opening: Set<String> = ["]]", "{"]

    private func commandsOfWords() -> [[String]] {
        let words = level.words.drop { Self.isPassedOver($0) }
        let inner = words.split { Self.opening.contains($0) }.drop { $0.startIndex == words.startIndex }
        return ([words] + inner).flatMap(readings).filter { !$0.isEmpty }
    }

    /// The words without what precedes a command, as each shell may read them.
    private func readings(_ words: ArraySlice<String>) -> [[String]] {
        let command = CommandPrefix.withoutTimeout(behindTime(words.drop { Self.isPassedOver($0) }))
        guard let name = command.first else { return [] }
        if name == "function" { return [Array(command.dropFirst(2).drop { Self.isPassedOver($0) })] }
        // zsh runs what follows `repeat` and a number, which may be a substitution and so no word here.
        guard name == "repeat" else { return Self.spellings(Array(command)) }
        let rest = command.drop {
            $0 == "repeat" || $0.utf8.allSatisfy(ShellCharacters.isDigit) || Self.isPassedOver($0)
        }
        return Self.spellings(Array(rest)) + Self.spellings(Array(rest.dropFirst()))
    }

    /// The command, and as zsh may read it: it looks `=git` up as `git`, and `{git push}` needs no blanks.
    private static func spellings(_ words: [String]) -> [[String]] {
        guard let name = words.first, let last = words.last else { return [] }
        let opens = name.utf8.count > 1 && "={".utf8.contains(name.utf8.first ?? 0)
        let closes = last.utf8.last == UInt8(ascii: "}") && !last.utf8.contains(UInt8(ascii: "{"))
        guard opens || closes else { return [words] }
        var other = words
        if closes { other[words.count - 1] = String(decoding: last.utf8.dropLast(), as: UTF8.self) }
        if opens { other[0] = String(decoding: other[0].utf8.dropFirst(), as: UTF8.self) }
        return [words, other]
    }

    /// True where `#` begins no comment, but a number of another base: within `((` whose `))` follows on the line.
    private var isArithmetic: Bool {
        guard level.isArithmetic || level.arithmetic != nil else { return false }
        let line = bytes[position..<endOfLine(from: position)]
        return zip(line, line.dropFirst()).contains { $0 == UInt8(ascii: ")") && $1 == UInt8(ascii: ")") }
    }

    /// Without the option of the reserved word `time` in front: `time -p ls`.
    private func behindTime(_ words: ArraySlice<String>) -> ArraySlice<String> {
        guard words.startIndex > 0, level.words[words.startIndex - 1] == "time" else { return words }
        return words.drop { $0 == "-p" || $0 == "--" || Self.isPassedOver($0) }
    }

    /// True if a word can precede a command: a reserved word or an assignment.
    static func isPassedOver(_ word: String) -> Bool {
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
