/// Redirections and here documents of a glance.
extension ShellGlance {
    struct HereDocument {
        /// The line that ends it.
        let end: [UInt8]
        /// Nothing in it is expanded, and no lines are joined.
        let isQuoted: Bool
        /// `<<-`: tabs before its lines do not count.
        let isIndented: Bool
        /// Within `((`, where `<<` shifts a number if `))` follows on the line.
        let isInArithmetic: Bool
        /// The command that gets it; nil until its end was read.
        var command: [String]?
        /// True if another one of the same command precedes it.
        var isFurther = false
    }

    /// Each search for the end of a here document that has none reads the rest of the line.
    private static let mostMissedEnds = 16

    mutating func skipLine() {
        position = endOfLine(from: position)
    }

    func endOfLine(from start: Int) -> Int {
        bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }

    /// Longer operators come first.
    private static let operators = ["&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", ">>", ">&", "<", ">"].map {
        Array($0.utf8)
    }

    /// Skips the operator and its target. Remembers the delimiter of a here document.
    mutating func redirection() {
        if startsProcessSubstitution { return word() }
        // In `2>x` the digits belong to the operator, and so does the name in `{name}>x`.
        if position > 0, !" \t\r".utf8.contains(bytes[position - 1]), level.words.last.map(Self.isDescriptor) == true {
            level.words.removeLast()
        }
        guard let found = Self.operators.first(where: { bytes[position...].starts(with: $0) }) else { return }
        position += found.count
        let overwrites = found.contains(UInt8(ascii: ">")) && skipOverwriting()
        while let next = byte(at: position), next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") || isContinued {
            position += isContinued ? 2 : 1
        }
        let before = level.words.count
        let start = position
        if let next = byte(at: position), !ShellCharacters.isDelimiter(next) || startsProcessSubstitution {
            word(expandsBraces: false)
        }
        guard level.words.count > before else { return }
        let target = level.words.removeLast()
        if overwrites { append(Self.substituted) }
        if found.elementsEqual("<".utf8) || found.elementsEqual("<>".utf8) { level.files.append(target) }
        if found.elementsEqual("<<<".utf8) { level.strings.append(target) }
        if found.elementsEqual("<<".utf8) || found.elementsEqual("<<-".utf8) {
            level.hereDocuments.append(
                HereDocument(
                    end: Array(target.utf8),
                    isQuoted: bytes[start..<min(position, bytes.count)].contains { #"'"\"#.utf8.contains($0) },
                    isIndented: found.count == 3, isInArithmetic: level.arithmetic != nil))
        }
    }

    /// Skips what zsh takes behind an operator to overwrite a file: `>|`, `>>|`, `>!`. True if in bash a `!` names the
    /// file, and the word behind it is one of the command.
    private mutating func skipOverwriting() -> Bool {
        let next = byte(at: position)
        let isBang = next == UInt8(ascii: "!") && byte(at: position + 1).map(ShellCharacters.isDelimiter) ?? true
        if isBang || next == UInt8(ascii: "|") { position += 1 }
        return isBang
    }

    /// True for what may stand before an operator, with no blank between: `2` or `{name}`.
    private static func isDescriptor(_ word: String) -> Bool {
        word.utf8.allSatisfy(ShellCharacters.isDigit)
            || word.utf8.first == UInt8(ascii: "{") && word.utf8.last == UInt8(ascii: "}")
    }

    /// True at `<(` and `>(`. Like `$(…)` they are searched.
    var startsProcessSubstitution: Bool {
        byte(at: position + 1) == UInt8(ascii: "(")
            && (byte(at: position) == UInt8(ascii: "<") || byte(at: position) == UInt8(ascii: ">"))
    }

    /// True at a backslash that joins two lines.
    var isContinued: Bool {
        byte(at: position) == UInt8(ascii: "\\") && byte(at: position + 1) == UInt8(ascii: "\n")
    }

    /// Without an end there is no here document: `<<` also shifts a number. After too many without an end, a quote in the
    /// text of a further one would hide what follows it, so that nothing more is read.
    mutating func skipHereDocuments() {
        for document in level.hereDocuments {
            guard missedEnds < Self.mostMissedEnds else {
                giveUp()
                break
            }
            guard let end = endOfHereDocument(document) else {
                missedEnds += 1
                break
            }
            let text = bytes[position..<end]
            position = end
            noteText(of: document, String(decoding: text, as: UTF8.self))
            if !document.isQuoted { level.commands += commandsExpanded(in: text) }
            guard isWhole else { break }
        }
        level.hereDocuments.removeAll()
    }

    /// The commands of the substitutions in a text that a shell expands as it does one in double quotes.
    mutating func commandsExpanded(in text: ArraySlice<UInt8>) -> [[String]] {
        guard text.contains(UInt8(ascii: "`")) || text.contains(UInt8(ascii: "$")) else { return [] }
        var value: [UInt8] = []
        return nested(text: Array(text)) { $0.expanded(to: nil, into: &value) }?.inner ?? []
    }

    /// The offset behind the first line that is the end. In a substitution bash also ends the text at `word)`.
    private func endOfHereDocument(_ document: HereDocument) -> Int? {
        var start = position
        while start < bytes.count {
            let (line, end) = lineOfHereDocument(document, from: start)
            if line.starts(with: document.end) {
                let rest = line.dropFirst(document.end.count)
                if rest.isEmpty { return end }
                if rest.first == UInt8(ascii: ")") && level.end == rest.first { return end - rest.count }
            }
            start = end + 1
        }
        return nil
    }

    /// A line without what does not count, and the offset of its end. Where the text is expanded, a backslash at the end
    /// joins the next line to it.
    private func lineOfHereDocument(_ document: HereDocument, from start: Int) -> (ArraySlice<UInt8>, end: Int) {
        var end = endOfLine(from: start)
        var line = bytes[start..<end]
        if document.isIndented { line = line.drop { $0 == UInt8(ascii: "\t") } }
        guard !document.isQuoted, line.last == UInt8(ascii: "\\"), line.count <= document.end.count else {
            return (line, end)
        }
        var joined = Array(line)
        while end < bytes.count, joined.last == UInt8(ascii: "\\"), joined.count <= document.end.count {
            joined.removeLast()
            let next = endOfLine(from: end + 1)
            joined += bytes[min(end + 1, next)..<next]
            end = next
        }
        return (joined[...], end)
    }
}
