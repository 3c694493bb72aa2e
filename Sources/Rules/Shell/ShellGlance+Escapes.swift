import Text

/// The escapes of a glance.
extension ShellGlance {
    /// The text with what stands in `$'…'` read, wherever it stands; nil where there is none, or it is no text.
    static func dollarQuotesRead(in text: [UInt8]) -> [UInt8]? {
        guard text.firstPlace(of: "$'".utf8) != nil else { return nil }
        var glance = ShellGlance(bytes: text)
        var read: [UInt8] = []
        while let next = glance.byte(at: glance.position) {
            if next == UInt8(ascii: "$"), glance.byte(at: glance.position + 1) == UInt8(ascii: "'") {
                glance.position += 2
                glance.dollarQuote(into: &read)
            } else {
                read.append(next)
                glance.position += 1
            }
        }
        return glance.isWhole ? read : nil
    }

    private mutating func dollarQuote(into value: inout [UInt8]) {
        while let next = byte(at: position), next != UInt8(ascii: "'") {
            if next == UInt8(ascii: "\\") {
                escapeOfDollarQuote(into: &value)
            } else {
                value.append(next)
                position += 1
            }
        }
        position += 1
    }

    mutating func escape(into value: inout [UInt8]) {
        if let escaped = byte(at: position + 1) { value.append(escaped) }
        position += 2
    }

    /// Reads an escape of `$'…'`: `$'\x70ush'` is `push`.
    mutating func escapeOfDollarQuote(into value: inout [UInt8]) {
        guard let kind = byte(at: position + 1) else { return escape(into: &value) }
        position += 2
        switch kind {
        case UInt8(ascii: "x"):
            // bash also knows `\x{70}`.
            let hasBrace = byte(at: position) == UInt8(ascii: "{")
            if hasBrace { position += 1 }
            let found = number(base: 16, digits: hasBrace ? 8 : 2)
            if hasBrace, byte(at: position) == UInt8(ascii: "}") { position += 1 }
            append(UInt8(truncatingIfNeeded: found), to: &value)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            append(UInt8(truncatingIfNeeded: number(base: 8, digits: 3)), to: &value)
        case UInt8(ascii: "u"): appendScalar(number(base: 16, digits: 4), to: &value)
        case UInt8(ascii: "U"): appendScalar(number(base: 16, digits: 8), to: &value)
        default: value.append(Self.controls[kind] ?? kind)
        }
    }

    private static let controls: [UInt8: UInt8] = Dictionary(
        uniqueKeysWithValues: zip("abeEfnrtv".utf8, [7, 8, 27, 27, 12, 10, 13, 9, 11]))

    private mutating func number(base: UInt32, digits: Int) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<digits {
            guard let next = byte(at: position), let digit = Character(UnicodeScalar(next)).hexDigitValue,
                digit < base
            else { break }
            number = number &* base &+ UInt32(digit)
            position += 1
        }
        return number
    }

    private mutating func appendScalar(_ number: UInt32, to value: inout [UInt8]) {
        guard number > 0 else { return append(0, to: &value) }
        value += Array(String(UnicodeScalar(number) ?? "\u{FFFD}").utf8)
    }

    /// Appends a byte. A zero ends the string in bash and the word in zsh, which is the same only at the end of both.
    private mutating func append(_ byte: UInt8, to value: inout [UInt8]) {
        guard byte == 0 else { return value.append(byte) }
        let isEnd =
            self.byte(at: position) == UInt8(ascii: "'")
            && self.byte(at: position + 1).map(ShellCharacters.isDelimiter) ?? true
        if !isEnd { giveUp() }
    }
}
