extension JSONScanner {
    func failure(_ message: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(message, at: offset ?? position, in: bytes)
    }

    /// The error for what is found at the position instead of `wanted`. Usual mistakes get a hint.
    func unexpected(wanted: String) -> JSONSyntaxError {
        guard !isAtEnd else { return failure("the text ends where \(wanted) should be") }
        switch current {
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            return failure("JSON has no comments; \(wanted) should be here")
        case UInt8(ascii: "'"):
            return failure("JSON has no single quotes; \(wanted) should be here")
        case 0xEF where position == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]):
            return failure("JSON may not begin with a byte order mark")
        default:
            return failure("\(named(current)) where \(wanted) should be")
        }
    }

    private func named(_ byte: UInt8) -> String {
        switch byte {
        case 0x21..<0x7F:
            return "'\(Character(UnicodeScalar(byte)))'"
        case 0x80...:
            let character = bytes[position..<min(position + 4, bytes.count)]
            let valid = (1...4).lazy.compactMap { String(validating: character.prefix($0), as: UTF8.self) }.first
            return valid.map { "'\($0)'" } ?? "a byte that is not UTF-8 (0x\(hex(byte).suffix(2)))"
        default:
            return "character U+\(hex(byte))"
        }
    }

    func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// The offset of the first byte sequence in `range` that is not UTF-8. Call it only where there is one.
    func firstInvalidUTF8(_ range: Range<Int>) -> Int {
        var decoder = UTF8()
        var iterator = bytes[range].makeIterator()
        var offset = range.lowerBound
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
        }
        return offset
    }
}
