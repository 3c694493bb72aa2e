/// Finds likely commands in any line, also in a line that `ShellSplitter` does not understand, for deny rules.
///
/// The result is an approximation: substitutions are searched, reserved words and assignments are skipped, and the rest
/// is taken for commands. Finding more commands than would run is harmless here.
package struct ShellGlance {
    /// Substitutions nested deeper than this are not searched.
    private static let deepest = 16

    private let bytes: [UInt8]
    private let depth: Int
    private var position = 0
    private var words: [String] = []
    private var commands: [[String]] = []
    private var hereDocuments: [[UInt8]] = []

    /// The words of every command found, after quote removal. No list is empty.
    package static func commands(in line: String) -> [[String]] {
        commands(in: Array(line.utf8), depth: 0)
    }

    private static func commands(in bytes: [UInt8], depth: Int) -> [[String]] {
        var glance = ShellGlance(bytes: bytes, depth: depth)
        glance.scan()
        return glance.commands
    }

    private init(bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    private func byte(at offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    private mutating func scan() {
        while let next = byte(at: position) {
            switch next {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "\n"):
                endCommand()
                position += 1
                skipHereDocuments()
            case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "`"):
                endCommand()
                position += 1
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: "<"), UInt8(ascii: ">"): redirection()
            default: word()
            }
        }
        endCommand()
    }

    private mutating func skipLine() {
        while let next = byte(at: position), next != UInt8(ascii: "\n") { position += 1 }
    }

    /// Skips the operator and its target. Remembers the delimiter of a here document.
    private mutating func redirection() {
        let start = position
        while let next = byte(at: position), "<>&|-".utf8.contains(next) { position += 1 }
        // Use the operator's bytes only: a word with an unclosed quote may move `position` past the end.
        let operators = bytes[start..<position]
        let isHereDocument = operators.starts(with: "<<".utf8) && !operators.starts(with: "<<<".utf8)
        while let next = byte(at: position), next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
        guard let next = byte(at: position), next != UInt8(ascii: "("), next != UInt8(ascii: "\n") else { return }
        word()
        let target = words.removeLast()
        if isHereDocument { hereDocuments.append(Array(target.utf8)) }
    }

    private mutating func skipHereDocuments() {
        for end in hereDocuments {
            while position < bytes.count {
                let start = position
                skipLine()
                let line = bytes[start..<position].drop { $0 == UInt8(ascii: "\t") }
                if position < bytes.count { position += 1 }
                if line.elementsEqual(end) { break }
            }
        }
        hereDocuments.removeAll()
    }
}

extension ShellGlance {
    /// Adds one word, which may be empty.
    private mutating func word() {
        var value: [UInt8] = []
        while let next = byte(at: position) {
            if ShellCharacters.isDelimiter(next) || next == UInt8(ascii: "`") { break }
            switch next {
            case UInt8(ascii: "'"): singleQuotes(into: &value)
            case UInt8(ascii: "\""): doubleQuotes(into: &value)
            case UInt8(ascii: "\\"):
                if let escaped = byte(at: position + 1), escaped != UInt8(ascii: "\n") { value.append(escaped) }
                position += 2
            default:
                value.append(next)
                position += 1
            }
        }
        words.append(String(decoding: value, as: UTF8.self))
    }

    private mutating func singleQuotes(into value: inout [UInt8]) {
        position += 1
        while let next = byte(at: position), next != UInt8(ascii: "'") {
            value.append(next)
            position += 1
        }
        position += 1
    }

    /// Reads a double-quoted string. A substitution inside is searched separately.
    private mutating func doubleQuotes(into value: inout [UInt8]) {
        position += 1
        while let next = byte(at: position), next != UInt8(ascii: "\"") {
            let after = byte(at: position + 1)
            if next == UInt8(ascii: "\\"), let escaped = after {
                value.append(escaped)
                position += 2
            } else if next == UInt8(ascii: "`") || (next == UInt8(ascii: "$") && after == UInt8(ascii: "(")) {
                substitution()
            } else {
                value.append(next)
                position += 1
            }
        }
        position += 1
    }

    /// Searches a substitution. It ends at its closing parenthesis or backtick; quotes inside are independent of those
    /// outside.
    private mutating func substitution() {
        let isBacktick = bytes[position] == UInt8(ascii: "`")
        position += isBacktick ? 1 : 2
        let start = position
        var open = 1
        var quote: UInt8?
        while let next = byte(at: position), open > 0 {
            if let mark = quote {
                if next == mark { quote = nil }
            } else if isBacktick {
                if next == UInt8(ascii: "`") { open = 0 }
            } else if next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") {
                quote = next
            } else if next == UInt8(ascii: "(") {
                open += 1
            } else if next == UInt8(ascii: ")") {
                open -= 1
            }
            position += 1
        }
        let end = max(start, open == 0 ? position - 1 : position)
        guard depth < Self.deepest else { return }
        commands += Self.commands(in: Array(bytes[start..<end]), depth: depth + 1)
    }

    private mutating func endCommand() {
        var command = words.drop { Self.isPassedOver($0) }
        words.removeAll()
        if command.first == "timeout", command.count > 2 { command.removeFirst(2) }
        if !command.isEmpty { commands.append(Array(command)) }
    }

    /// True if a word can precede a command: a reserved word or an assignment.
    private static func isPassedOver(_ word: String) -> Bool {
        if reserved.contains(word) || word.isEmpty || word == "$" { return true }
        guard let sign = word.utf8.firstIndex(of: UInt8(ascii: "=")), sign > word.startIndex else { return false }
        return word.utf8[..<sign].allSatisfy { ShellCharacters.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }

    private static let reserved: Set<String> = [
        "!", "coproc", "do", "elif", "else", "if", "nocorrect", "then", "time", "until", "while", "{", "}",
    ]
}
