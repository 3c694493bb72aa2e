/// Random UUIDs as text.
package enum UUIDText {
    /// Version 4 (RFC 9562), in lower case.
    package static func random() -> String {
        var random = SystemRandomNumberGenerator()
        return text((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }, version: 4)
    }

    /// Version 8, of the first 16 bytes of a digest: the same one again for the same digest.
    package static func derived(from digest: [UInt8]) -> String { text(Array(digest.prefix(16)), version: 8) }

    private static func text(_ bytes: [UInt8], version: UInt8) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.enumerated().map { index, byte in
            ([4, 6, 8, 10].contains(index) ? "-" : "") + String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }.joined()
    }

    /// True for a UUID in lower case.
    package static func isOne(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index)
                    ? byte == 0x2D : (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
    }

    private static let digits = Array("0123456789abcdef")
}
