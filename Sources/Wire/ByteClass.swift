/// The byte classes that HTTP's grammar is made of (RFC 9110 section 5.6, RFC 3986 section 3).
enum ByteClass {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// `tchar`: what a method or a field name may hold.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2E, 0x5E...0x60, 0x7C, 0x7E:
            true
        default: false
        }
    }

    /// A byte of a field value: a visible character, space, tab or a byte above ASCII, and no other control character.
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == tab
    }

    /// A byte of a request target: visible ASCII but `#`, because a fragment is never sent.
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != 0x23
    }

    /// A byte of `host [ ":" port ]`. `@` is excluded, because a request must not carry user information.
    static func isAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x3A, 0x21, 0x24...0x2E, 0x3B, 0x3D, 0x5B, 0x5D, 0x5F, 0x7E: true
        default: false
        }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    static func hexValue(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x41 + 10
        case 0x61...0x66: Int(byte) - 0x61 + 10
        default: nil
        }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// True if both spell the same ASCII word, whatever the case of its letters.
    static func equalIgnoringCase(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && left.elementsEqual(right) { lowercased($0) == lowercased($1) }
    }

    /// `range` without the blanks at both ends.
    static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, isBlank(bytes[lower]) { lower += 1 }
        while lower < upper, isBlank(bytes[upper - 1]) { upper -= 1 }
        return lower..<upper
    }
}
