/// Splits a command line into simple commands. Throws at the first construct that bash and zsh may read differently, or
/// that is not supported.
package struct ShellSplitter {
    /// The longest line in bytes.
    package static let limit = 16_384

    let bytes: [UInt8]
    /// True if the shell is macOS's bash 3.2, which reads a here document inside `$(…)` differently.
    let isMacBash: Bool
    var position = 0
    var words: [ShellWord] = []
    var isRedirected = false
    var commandStart = 0
    var commands: [SimpleCommand] = []
    var separator = SimpleCommand.Separator.edge

    /// The simple commands of a line, at least one.
    package static func split(_ line: String, isMacBash: Bool = false) throws(ShellStop) -> [SimpleCommand] {
        guard line.utf8.count <= limit else { throw ShellStop(reason: .length, offset: limit) }
        let bytes = Array(line.utf8)
        if let offset = ShellCharacters.firstHidden(in: line, bytes) {
            throw ShellStop(reason: .hiddenCharacter, offset: offset)
        }
        var splitter = ShellSplitter(bytes: bytes, isMacBash: isMacBash)
        return try splitter.run()
    }

    private init(bytes: [UInt8], isMacBash: Bool) {
        self.bytes = bytes
        self.isMacBash = isMacBash
    }

    private mutating func run() throws(ShellStop) -> [SimpleCommand] {
        while position < bytes.count { try step() }
        if !isEmptyCommand {
            try endCommand(.edge)
        } else if separator.needsMore || commands.isEmpty {
            throw stop(.emptyCommand)
        } else {
            commands[commands.count - 1].after = .edge
        }
        return commands
    }

    private mutating func step() throws(ShellStop) {
        switch bytes[position] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"): position += 1
        case UInt8(ascii: "\n"): try newline()
        case UInt8(ascii: ";"): try operators(.semicolon, length: 1)
        case UInt8(ascii: "|"): try bar()
        case UInt8(ascii: "&"): try ampersand()
        case UInt8(ascii: "<"), UInt8(ascii: ">"): try redirection(descriptor: nil)
        case UInt8(ascii: "#"): try comment()
        case UInt8(ascii: "("), UInt8(ascii: ")"): throw stop(.parenthesis)
        default: try word()
        }
    }

    var isEmptyCommand: Bool { words.isEmpty && !isRedirected }

    func byte(at offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    func stop(_ reason: ShellStop.Reason) -> ShellStop {
        ShellStop(reason: reason, offset: position)
    }

    mutating func append(_ word: ShellWord, from start: Int) {
        if isEmptyCommand { commandStart = start }
        if words.isEmpty { words.reserveCapacity(Self.usualWords) }
        words.append(word)
    }

    /// The number of words reserved at once, so that the array does not grow word by word.
    private static let usualWords = 6
}

// MARK: - Operators between commands

extension ShellSplitter {
    private mutating func newline() throws(ShellStop) {
        if !isEmptyCommand { try endCommand(.newline) }
        position += 1
    }

    private mutating func operators(_ found: SimpleCommand.Separator, length: Int) throws(ShellStop) {
        guard !isEmptyCommand else { throw stop(.emptyCommand) }
        try endCommand(found)
        position += length
    }

    private mutating func bar() throws(ShellStop) {
        switch byte(at: position + 1) {
        case UInt8(ascii: "|"): try operators(.or, length: 2)
        case UInt8(ascii: "&"): try operators(.pipe, length: 2)
        default: try operators(.pipe, length: 1)
        }
    }

    private mutating func ampersand() throws(ShellStop) {
        switch byte(at: position + 1) {
        case UInt8(ascii: "&"): try operators(.and, length: 2)
        case UInt8(ascii: ">"): try redirection(descriptor: nil)
        default: throw stop(.ampersand)
        }
    }

    /// Skips a comment that is a line of its own. Throws for a comment anywhere else.
    private mutating func comment() throws(ShellStop) {
        let startsLine = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
        guard startsLine, isEmptyCommand else { throw stop(.comment) }
        while let next = byte(at: position), next != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func endCommand(_ after: SimpleCommand.Separator) throws(ShellStop) {
        let prefixLength = CommandPrefix.length(of: words)
        guard prefixLength < words.count else { throw stop(.emptyCommand) }
        try checkFirstWord(words[prefixLength])
        commands.append(
            SimpleCommand(
                words: prefixLength == 0 ? words : Array(words[prefixLength...]),
                prefix: words[..<prefixLength].map(\.unquoted),
                before: separator, after: after, isRedirected: isRedirected, range: commandStart..<position))
        words = []
        isRedirected = false
        separator = after
    }

    private func checkFirstWord(_ word: ShellWord) throws(ShellStop) {
        if word.value == "[", !word.isQuoted { return }
        guard word.marks.isEmpty, word.value.utf8.allSatisfy(ShellCharacters.isFirstWord) else {
            throw ShellStop(reason: .firstWord, offset: commandStart)
        }
        if ReservedWords.all.contains(word.value) { throw ShellStop(reason: .reservedWord, offset: commandStart) }
    }
}
