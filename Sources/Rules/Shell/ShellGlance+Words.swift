/// The words of a glance.
extension ShellGlance {
    /// What a substitution leaves of itself in a word. As a word it counts as a variable does, which may be empty or
    /// anything.
    static let substituted = "$("

    /// What a process substitution leaves in a word: the name of a file. Also a word that may stand between others.
    static let file = "$(/dev/fd/63"

    /// The word as if its substitutions were empty.
    static func withoutSubstitutions(_ word: String) -> String {
        guard word.utf8.contains(UInt8(ascii: "$")) else { return word }
        var bytes: [UInt8] = []
        for byte in word.utf8 {
            if byte == UInt8(ascii: "("), bytes.last == UInt8(ascii: "$") {
                bytes.removeLast()
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads one word, which may be empty, and adds it.
    /// - Parameter expandsBraces: false for the target of a redirection.
    mutating func word(expandsBraces: Bool = true) {
        var value: [UInt8] = []
        var isThere = false
        var marks = BraceExpansion.Marks()
        let start = position
        while let next = byte(at: position), next != level.end {
            if startsProcessSubstitution || value.isEmpty && startsFileSubstitution {
                substitution(opening: 2)
                isThere = true
                value += Self.file.utf8
                continue
            }
            if ShellCharacters.isDelimiter(next) {
                if next == UInt8(ascii: "("), isThere { beginPattern(of: &value) }
                break
            }
            if isContinued {
                position += 2
                continue
            }
            isThere = true
            if next == UInt8(ascii: "{") || marks.isOpen {
                marks.note(next, isExpansion: next == UInt8(ascii: "{") && isExpansion, at: value.count)
            }
            part(next, into: &value)
        }
        guard isThere else { return }
        if expandsBraces, marks.isOpen { return appendExpanded(value, marks) }
        let word = String(decoding: value, as: UTF8.self)
        if word == "case" || word == "esac", position - start != 4 { level.quotesCase = true }
        append(word)
    }

    /// zsh takes `pus(h)` for a pattern, and bash `pus@(h)`. What follows is read as commands, too.
    private func beginPattern(of value: inout [UInt8]) {
        guard byte(at: position + 1) != UInt8(ascii: ")"), value.last != UInt8(ascii: "=") else { return }
        if let last = value.last, "@+?!*".utf8.contains(last) { value.removeLast() }
        value.append(UInt8(ascii: "*"))
    }

    private mutating func appendExpanded(_ value: [UInt8], _ marks: BraceExpansion.Marks) {
        guard let words = braceExpansion.words(of: value, marks: marks) else { return giveUp() }
        // A shell drops the empty words.
        for word in words where !word.isEmpty { append(String(decoding: word, as: UTF8.self)) }
    }

    /// True at zsh's `=(…)`, an operand like `<(…)`.
    private var startsFileSubstitution: Bool {
        byte(at: position) == UInt8(ascii: "=") && byte(at: position + 1) == UInt8(ascii: "(")
    }

    private var startsSubstitution: Bool {
        byte(at: position) == UInt8(ascii: "$") && byte(at: position + 1) == UInt8(ascii: "(")
    }

    private mutating func part(_ next: UInt8, into value: inout [UInt8]) {
        let after = byte(at: position + 1)
        switch next {
        case UInt8(ascii: "'"): quoted(by: next, into: &value)
        case UInt8(ascii: "\""): doubleQuotes(into: &value)
        case UInt8(ascii: "`"):
            backticks()
            value += Self.substituted.utf8
        case UInt8(ascii: "\\"): escape(into: &value)
        case _ where startsSubstitution: substitution(into: &value)
        case _ where startsFunction: function(into: &value)
        case UInt8(ascii: "$") where after == next:
            // The number of the shell; what follows begins anew.
            value += [next, next]
            position += 2
        case UInt8(ascii: "$") where after == UInt8(ascii: "\""): position += 1
        case UInt8(ascii: "$") where after == UInt8(ascii: "'"):
            position += 1
            quoted(by: UInt8(ascii: "'"), hasEscapes: true, into: &value)
        default:
            if next == UInt8(ascii: "{"), isExpansion { openBraces(by: 1) }
            if next == UInt8(ascii: "}") { openBraces(by: -1) }
            value.append(next)
            position += 1
        }
    }

    private mutating func substitution(into value: inout [UInt8]) {
        substitution(opening: 2)
        value += Self.substituted.utf8
    }

    /// Reads a string in single quotes.
    /// - Parameter hasEscapes: whether a backslash escapes, as in `$'don\'t'`.
    private mutating func quoted(by mark: UInt8, hasEscapes: Bool = false, into value: inout [UInt8]) {
        position += 1
        while let next = byte(at: position), next != mark {
            if hasEscapes, next == UInt8(ascii: "\\") {
                escapeOfDollarQuote(into: &value)
            } else {
                value.append(next)
                position += 1
            }
        }
        position += 1
    }

    private mutating func doubleQuotes(into value: inout [UInt8]) {
        position += 1
        expanded(to: UInt8(ascii: "\""), into: &value)
        position += 1
    }

    /// Reads a text in which a shell expands substitutions.
    /// - Parameter end: the byte before which it ends.
    mutating func expanded(to end: UInt8?, into value: inout [UInt8]) {
        while let next = byte(at: position), next != end {
            switch next {
            case UInt8(ascii: "\\"): escape(into: &value)
            case UInt8(ascii: "`"):
                backticks(inQuotes: true)
                value += Self.substituted.utf8
            case _ where startsSubstitution: substitution(into: &value)
            case _ where startsFunction: function(into: &value)
            case UInt8(ascii: "{") where isExpansion: nested { $0.braces(into: &value) }
            default:
                value.append(next)
                position += 1
            }
        }
    }

    /// True at the brace of `${`, whose dollar is neither escaped nor the end of `$$`.
    private var isExpansion: Bool {
        guard byte(at: position - 1) == UInt8(ascii: "$") else { return false }
        let before = bytes[..<(position - 1)].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return before.isMultiple(of: 2) && byte(at: position - 2) != UInt8(ascii: "'")
    }

    /// Reads what is within `{…}` of `"${…}"`, where quotes begin anew. Single quotes are some only where a pattern
    /// stands: behind `%`, `#`, `/` and the like.
    private mutating func braces(into value: inout [UInt8]) {
        var isPattern = false
        let start = position
        position += 1
        while let next = byte(at: position), next != UInt8(ascii: "}") {
            if position > start + 1, "%#/^,@".utf8.contains(next) { isPattern = true }
            switch next {
            case UInt8(ascii: "\\"): escape(into: &value)
            case UInt8(ascii: "'") where isPattern: quoted(by: next, into: &value)
            case UInt8(ascii: "\""): doubleQuotes(into: &value)
            case UInt8(ascii: "`"):
                backticks(inQuotes: true)
                value += Self.substituted.utf8
            case _ where startsSubstitution: substitution(into: &value)
            case _ where startsFunction: function(into: &value)
            case UInt8(ascii: "{") where isExpansion: nested { $0.braces(into: &value) }
            default:
                value.append(next)
                position += 1
            }
        }
        position += 1
    }

    /// Searches what is between backticks. A shell looks for the second one first, whatever is between them, and takes
    /// one backslash away before what it escapes.
    private mutating func backticks(inQuotes: Bool = false) {
        var text: [UInt8] = []
        position += 1
        while let next = byte(at: position), next != UInt8(ascii: "`") {
            if next == UInt8(ascii: "\\"), let escaped = byte(at: position + 1) {
                let isTaken = "`\\$".utf8.contains(escaped) || inQuotes && escaped == UInt8(ascii: "\"")
                text += isTaken ? [escaped] : [next, escaped]
                position += 2
            } else {
                text.append(next)
                position += 1
            }
        }
        position += 1
        if let found = nested(text: text, { $0.scan() }) { level.inner += found.commands }
    }
}
