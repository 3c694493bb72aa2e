/// The words of a glance.
extension ShellGlance {
    /// Reads one word, which may be empty, and adds it.
    mutating func word() {
        var value: [UInt8] = []
        var isThere = false
        while let next = byte(at: position), !ShellCharacters.isDelimiter(next), next != level.end {
            if isContinued {
                position += 2
                continue
            }
            // A shell may expand a substitution to nothing.
            let isSubstitution = next == UInt8(ascii: "`") || startsSubstitution
            if !isSubstitution { isThere = true }
            part(next, into: &value)
        }
        if isThere { append(String(decoding: value, as: UTF8.self)) }
    }

    private var startsSubstitution: Bool {
        byte(at: position) == UInt8(ascii: "$") && byte(at: position + 1) == UInt8(ascii: "(")
    }

    private mutating func part(_ next: UInt8, into value: inout [UInt8]) {
        let after = byte(at: position + 1)
        switch next {
        case UInt8(ascii: "'"): quoted(by: next, into: &value)
        case UInt8(ascii: "\""): doubleQuotes(into: &value)
        case UInt8(ascii: "`"): substitution(opening: 1)
        case UInt8(ascii: "\\"): escape(into: &value)
        case _ where startsSubstitution: substitution(opening: 2)
        case UInt8(ascii: "$") where after == UInt8(ascii: "\""): position += 1
        case UInt8(ascii: "$") where after == UInt8(ascii: "'"):
            position += 1
            quoted(by: UInt8(ascii: "'"), hasEscapes: true, into: &value)
        default:
            if next == UInt8(ascii: "{"), value.last == UInt8(ascii: "$") { openBraces(by: 1) }
            if next == UInt8(ascii: "}") { openBraces(by: -1) }
            value.append(next)
            position += 1
        }
    }

    private mutating func escape(into value: inout [UInt8]) {
        if let escaped = byte(at: position + 1) { value.append(escaped) }
        position += 2
    }

    /// Reads a string in single quotes.
    /// - Parameter hasEscapes: whether a backslash escapes, as in `$'don\'t'`.
    private mutating func quoted(by mark: UInt8, hasEscapes: Bool = false, into value: inout [UInt8]) {
        position += 1
        while let next = byte(at: position), next != mark {
            if hasEscapes, next == UInt8(ascii: "\\") {
                escape(into: &value)
            } else {
                value.append(next)
                position += 1
            }
        }
        position += 1
    }

    private mutating func doubleQuotes(into value: inout [UInt8]) {
        position += 1
        while let next = byte(at: position), next != UInt8(ascii: "\"") {
            if next == UInt8(ascii: "\\") {
                escape(into: &value)
            } else if next == UInt8(ascii: "`") {
                substitution(opening: 1)
            } else if startsSubstitution {
                substitution(opening: 2)
            } else {
                value.append(next)
                position += 1
            }
        }
        position += 1
    }
}
