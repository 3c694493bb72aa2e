/// The words of a text of PowerShell.
extension PowerShellText {
    mutating func word() {
        var value: [UInt8] = []
        let start = position
        while let next = byte(at: position), !" \t\r\n,;|&(){}<>".utf8.contains(next) {
            switch next {
            case UInt8(ascii: "`"): escape(into: &value, isQuoted: false)
            case UInt8(ascii: "'"), UInt8(ascii: "\""): quoted(next, into: &value)
            case UInt8(ascii: "@") where hereStringEnd != nil: hereString(into: &value)
            case UInt8(ascii: "@") where value.isEmpty && byte(at: position + 1).map(ShellCharacters.isLetter) == true:
                // `git @words`
                value += ShellGlance.substituted.utf8
                position += 1
            case UInt8(ascii: "$"): expansion(into: &value)
            case UInt8(ascii: "=") where open[open.count - 1].words.isEmpty && value.first == UInt8(ascii: "$"):
                // `$x=git`
                value.removeAll()
                position += 1
            default:
                value.append(next)
                position += 1
            }
        }
        // A sign of which nothing is a word.
        if position == start { position += 1 }
        add(String(decoding: value, as: UTF8.self))
    }

    private mutating func add(_ word: String) {
        let last = open.count - 1
        if open[last].words.isEmpty, Self.keywords.contains(word.lowercased()) {
            if word == "." { open[last].isInvoked = true }
        } else if open[last].words.count == 1, Self.assigning.contains(word), open[last].isExpression {
            open[last].words.removeAll()
        } else if !word.isEmpty {
            open[last].words.append(word)
        }
    }

    /// Reads `$(…)`, whose commands are run wherever it stands, `${…}`, or the sign alone.
    private mutating func expansion(into value: inout [UInt8]) {
        let next = byte(at: position + 1)
        guard next == UInt8(ascii: "(") || next == UInt8(ascii: "{") else {
            value.append(bytes[position])
            position += 1
            return
        }
        let start = position + 2
        var depth = 0
        repeat {
            if "({".utf8.contains(bytes[position]) { depth += 1 }
            if ")}".utf8.contains(bytes[position]) { depth -= 1 }
            position += 1
        } while position < bytes.count && (depth > 0 || position < start)
        value += ShellGlance.substituted.utf8
        read(String(decoding: bytes[min(start, position)..<position], as: UTF8.self))
    }

    /// Reads a text as commands.
    mutating func read(_ text: String) {
        guard depth < Self.deepestText else {
            isWhole = false
            return
        }
        let inner = PowerShellText(text, depth: depth + 1)
        commands += inner.commands
        isWhole = isWhole && inner.isWhole
    }

    /// What ends a text of several lines, `@'…'@`, that begins here.
    private var hereStringEnd: [UInt8]? {
        guard let mark = byte(at: position + 1), "'\"".utf8.contains(mark), byte(at: position + 2) == 0x0A else {
            return nil
        }
        return [0x0A, mark, UInt8(ascii: "@")]
    }

    private mutating func hereString(into value: inout [UInt8]) {
        guard let end = hereStringEnd else { return }
        let expands = end[1] == UInt8(ascii: "\"")
        position += 2
        while position < bytes.count, !bytes[position...].starts(with: end) {
            if expands, bytes[position] == UInt8(ascii: "$") {
                expansion(into: &value)
            } else {
                value.append(bytes[position])
                position += 1
            }
        }
        position += end.count
    }

    /// Reads what a backtick escapes; one in front of a line's end joins the next.
    private mutating func escape(into value: inout [UInt8], isQuoted: Bool) {
        let isLine = byte(at: position + 1) == 0x0D && byte(at: position + 2) == 0x0A
        if let next = byte(at: position + 1), next != 0x0A, !isLine {
            let isBlank = isQuoted && "nrt0".utf8.contains(next)
            value.append(isBlank ? UInt8(ascii: "\n") : next)
        }
        position += isLine ? 3 : 2
    }

    private mutating func quoted(_ mark: UInt8, into value: inout [UInt8]) {
        position += 1
        while let next = byte(at: position) {
            if next == mark {
                guard byte(at: position + 1) == mark else { break }
                position += 1
            }
            if next == UInt8(ascii: "`"), mark != UInt8(ascii: "'") {
                escape(into: &value, isQuoted: true)
            } else if next == UInt8(ascii: "$"), mark != UInt8(ascii: "'") {
                expansion(into: &value)
            } else {
                value.append(next)
                position += 1
            }
        }
        position += 1
    }

    private static let assigning: Set<String> = ["=", "+=", "-=", "*=", "/=", "%=", "??="]
}
