extension JSONScanner {
    /// Reads a string in double quotes and returns its value. A string without escapes is copied at once.
    mutating func string() throws(JSONSyntaxError) -> String {
        let quote = position
        position += 1
        let start = position
        let isASCII = skipPlain()
        guard current != UInt8(ascii: "\"") else {
            guard isASCII else { return try text(bytes[start..<position], from: start) }
            defer { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        var unescaped = Array(bytes[start..<position])
        while current != UInt8(ascii: "\"") {
            guard current == UInt8(ascii: "\\") else { throw unfinished(quote) }
            try escape(into: &unescaped)
            let plain = position
            skipPlain()
            unescaped.append(contentsOf: bytes[plain..<position])
        }
        return try text(unescaped[...], from: start)
    }

    /// Moves to the next quote, backslash or control character. Returns whether the skipped bytes are ASCII.
    @discardableResult
    private mutating func skipPlain() -> Bool {
        let plain = PlainText.end(in: bytes, from: position)
        position = plain.index
        return plain.isASCII
    }

    /// Decodes the string and moves behind its closing quote. An escape cannot complete a broken UTF-8 sequence before
    /// it, because its first byte is never a continuation byte.
    private mutating func text(_ utf8: ArraySlice<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw failure("not valid UTF-8", at: firstInvalidUTF8(start..<position))
        }
        position += 1
        return text
    }

    private func unfinished(_ quote: Int) -> JSONSyntaxError {
        isAtEnd
            ? failure("the string that begins here does not end", at: quote)
            : failure("a control character in a string has to be written as \\u\(hex(current))")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        let backslash = position
        position += 1
        let letter = current
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try codePoint(backslash))).utf8)
        default:
            throw failure("a backslash is followed by one of \" \\ / b f n r t u, or is written \\\\", at: backslash)
        }
    }

    /// Reads the digits after `\u`, and a second escape that completes a surrogate pair. Half a pair becomes U+FFFD, as
    /// when JavaScript encodes such a string as UTF-8.
    private mutating func codePoint(_ backslash: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
        let unit = try fourHexDigits(backslash)
        guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) ?? half() }
        let afterFirst = position
        guard current == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
            return half()
        }
        position += 2
        let second = try fourHexDigits(afterFirst)
        guard second & 0xFC00 == 0xDC00 else {
            position = afterFirst
            return half()
        }
        return Unicode.Scalar(0x10000 + ((unit & 0x3FF) << 10) + (second & 0x3FF)) ?? half()
    }

    private mutating func half() -> Unicode.Scalar {
        hasReadHalf = true
        return "\u{FFFD}"
    }

    /// Reads a string again, which `string()` has read before, and keeps halves of surrogate pairs; nil where there are
    /// none.
    func unpaired(_ string: Range<Int>) throws(JSONSyntaxError) -> UnpairedText? {
        var scanner = self
        scanner.position = string.lowerBound + 1
        var units: [UInt16] = []
        while scanner.position < string.upperBound - 1 {
            let start = scanner.position
            scanner.skipPlain()
            units.append(contentsOf: String(decoding: bytes[start..<scanner.position], as: UTF8.self).utf16)
            guard scanner.position < string.upperBound - 1 else { break }
            units.append(contentsOf: try scanner.escapedUnits())
        }
        return UnpairedText(units)
    }

    private mutating func escapedUnits() throws(JSONSyntaxError) -> [UInt16] {
        let backslash = position
        guard bytes[position + 1] == UInt8(ascii: "u") else {
            var text: [UInt8] = []
            try escape(into: &text)
            return text.map { UInt16($0) }
        }
        position += 2
        return [UInt16(try fourHexDigits(backslash))]
    }

    private mutating func fourHexDigits(_ backslash: Int) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = hexDigit(current) else {
                throw failure("\\u is followed by four hexadecimal digits", at: backslash)
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    private func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
