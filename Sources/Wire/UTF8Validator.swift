/// Validates UTF-8 (RFC 3629 section 4) in pieces. A piece may end inside a character, and the first invalid byte is
/// detected when it arrives.
struct UTF8Validator: Sendable {
    /// The number of continuation bytes that the current character still needs.
    private var missing = 0
    /// The range of the next continuation byte. Some first bytes narrow it, which excludes overlong forms, surrogates
    /// and code points above U+10FFFF.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// True if the bytes so far end with a whole character.
    var isComplete: Bool { missing == 0 }

    /// Validates more bytes. Returns false if no continuation of the bytes so far can be UTF-8.
    mutating func accept(_ bytes: some Collection<UInt8>) -> Bool {
        for byte in bytes {
            if missing > 0 {
                guard allowed.contains(byte) else { return false }
                missing -= 1
                allowed = 0x80...0xBF
            } else if byte >= 0x80, !begin(byte) {
                return false
            }
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { allowed = 0xA0...0xBF }
            if byte == 0xED { allowed = 0x80...0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { allowed = 0x90...0xBF }
            if byte == 0xF4 { allowed = 0x80...0x8F }
        default: return false
        }
        return true
    }
}
