/// Parsing of words and their quotes.
extension ShellSplitter {
    /// A word that is being read.
    struct Draft {
        var value: [UInt8] = []
        var marks: ShellWord.Marks = []
        var isQuoted = false
    }

    mutating func word() throws(ShellStop) {
        if parenthesisOfFind() { return }
        let start = position
        position = endOfRun(from: start, of: ShellCharacters.isOrdinary)
        if closesWord(at: position), !startsRedirection {
            return append(ShellWord(text(start..<position)), from: start)
        }
        var draft = Draft(value: Array(bytes[start..<position]))
        while let next = byte(at: position), !ShellCharacters.isDelimiter(next) { try take(next, into: &draft) }
        // `{name}>` assigns a descriptor to a variable in both shells.
        if bytes[position - 1] == UInt8(ascii: "}"), startsRedirection { throw stop(.redirection) }
        if let next = byte(at: position), next == UInt8(ascii: "<") || next == UInt8(ascii: ">") {
            if !draft.isQuoted, draft.value.allSatisfy(ShellCharacters.isDigit) {
                return try redirection(descriptor: draft.value)
            }
        }
        // In `2&>x` zsh reads the digit as a descriptor, bash as a word.
        if byte(at: position) == UInt8(ascii: "&"), startsRedirection, ShellCharacters.isDigit(bytes[position - 1]) {
            throw stop(.redirection)
        }
        let value = String(decoding: draft.value, as: UTF8.self)
        append(ShellWord(value, marks: draft.marks, isQuoted: draft.isQuoted), from: start)
    }

    private func endOfRun(from start: Int, of isMember: (UInt8) -> Bool) -> Int {
        bytes[start...].firstIndex { !isMember($0) } ?? bytes.count
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private var startsRedirection: Bool {
        switch byte(at: position) {
        case UInt8(ascii: "<"), UInt8(ascii: ">"): true
        case UInt8(ascii: "&"): byte(at: position + 1) == UInt8(ascii: ">")
        default: false
        }
    }

    private mutating func take(_ next: UInt8, into draft: inout Draft) throws(ShellStop) {
        switch next {
        case UInt8(ascii: "'"): try singleQuotes(into: &draft)
        case UInt8(ascii: "\""): try doubleQuotes(into: &draft)
        case UInt8(ascii: "$"): try dollar(into: &draft, isQuoted: false)
        case UInt8(ascii: "`"): throw stop(.backtick)
        case UInt8(ascii: "\\"): throw stop(.backslash)
        case UInt8(ascii: "#") where draft.marks.contains(.dollar) || draft.marks.contains(.status):
            // Parsers differ on whether `#` directly after `$x` begins a comment.
            throw stop(.comment)
        default: plain(next, into: &draft)
        }
    }

    /// Reads a character outside quotes and marks what it may mean to a shell.
    private mutating func plain(_ next: UInt8, into draft: inout Draft) {
        switch next {
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["): draft.marks.insert(.glob)
        case UInt8(ascii: "{"):
            if reference(into: &draft) { return }
            draft.marks.insert(.brace)
        case UInt8(ascii: "}"): draft.marks.insert(.brace)
        case UInt8(ascii: "#"): draft.marks.insert(.hash)
        case UInt8(ascii: "^"): draft.marks.insert(.caret)
        case UInt8(ascii: "~"):
            draft.marks.insert(.caret)
            let before = draft.value.last
            if before == nil || before == UInt8(ascii: "=") || before == UInt8(ascii: ":") {
                draft.marks.insert(.tilde)
            }
        case UInt8(ascii: "="):
            // With zsh's option `magic_equal_subst`, `=ls` expands in `x==ls`, too.
            if draft.value.last.map({ "=:".utf8.contains($0) }) ?? true { draft.marks.insert(.equals) }
        default: break
        }
        draft.value.append(next)
        position += 1
    }

    /// Reads git's `@{letters or digits}`. By default no shell expands braces without a comma or dots.
    private mutating func reference(into draft: inout Draft) -> Bool {
        guard position > 0, bytes[position - 1] == UInt8(ascii: "@"), draft.value.last == UInt8(ascii: "@") else {
            return false
        }
        var end = position + 1
        while let next = byte(at: end), ShellCharacters.isAlphanumeric(next) { end += 1 }
        guard end > position + 1, byte(at: end) == UInt8(ascii: "}") else { return false }
        draft.value += bytes[position...end]
        // With zsh's option `brace_ccl` the braces expand to one word for each letter.
        draft.marks.insert(.caret)
        position = end + 1
        return true
    }

    private mutating func singleQuotes(into draft: inout Draft) throws(ShellStop) {
        guard let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "'")) else {
            throw stop(.unbalancedQuote)
        }
        draft.value += bytes[(position + 1)..<end]
        try closeQuote(at: end, &draft)
        // With its option `rc_quotes` zsh reads `''` inside single quotes as one quote.
        if byte(at: position) == UInt8(ascii: "'") { throw stop(.quoteBehindQuote) }
    }

    private mutating func doubleQuotes(into draft: inout Draft) throws(ShellStop) {
        if try hereDocumentWord(into: &draft) { return }
        let start = position
        position += 1
        while let next = byte(at: position) {
            switch next {
            case UInt8(ascii: "\""): return try closeQuote(at: position, &draft)
            case UInt8(ascii: "\\"): try escape(into: &draft)
            case UInt8(ascii: "$"): try dollar(into: &draft, isQuoted: true)
            case UInt8(ascii: "`"): throw stop(.backtick)
            default:
                let end = endOfRun(from: position, of: ShellCharacters.isQuotable)
                draft.value += bytes[position..<end]
                position = end
            }
        }
        throw ShellStop(reason: .unbalancedQuote, offset: start)
    }

    func closesWord(at offset: Int) -> Bool {
        byte(at: offset).map(ShellCharacters.isDelimiter) ?? true
    }

    private mutating func closeQuote(at offset: Int, _ draft: inout Draft) throws(ShellStop) {
        draft.isQuoted = true
        position = offset + 1
        if byte(at: position) == UInt8(ascii: "#") { throw stop(.comment) }
    }

    /// Reads a backslash inside double quotes.
    private mutating func escape(into draft: inout Draft) throws(ShellStop) {
        switch byte(at: position + 1) {
        case UInt8(ascii: "\n"): throw stop(.backslash)
        case UInt8(ascii: "$"):
            draft.marks.insert(.dollar)
            position += 1
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            position += 1
        default: break
        }
        guard let kept = byte(at: position) else { throw stop(.unbalancedQuote) }
        draft.value.append(kept)
        position += 1
    }

    private mutating func dollar(into draft: inout Draft, isQuoted: Bool) throws(ShellStop) {
        switch byte(at: position + 1) {
        case UInt8(ascii: "{") where pipeStatus(into: &draft): break
        case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): throw stop(.expansion)
        case UInt8(ascii: "'") where !isQuoted, UInt8(ascii: "\"") where !isQuoted: throw stop(.dollarQuote)
        case UInt8(ascii: "?"):
            let next = byte(at: position + 2)
            // zsh evaluates `$?[…]` and applies `$?:h`.
            let isPlain = next != UInt8(ascii: "[") && next != UInt8(ascii: ":")
            draft.marks.insert(isPlain ? .status : .dollar)
            draft.value += [UInt8(ascii: "$"), UInt8(ascii: "?")]
            position += 2
        default:
            draft.marks.insert(.dollar)
            draft.value.append(UInt8(ascii: "$"))
            position += 1
        }
    }
}
