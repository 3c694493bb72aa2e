/// Random UUIDs as text.
package enum UUIDText {
    /// Version 4 (RFC 9562), in lower case.
    package static func random() -> String {
        var random = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.enumerated().map { index, byte in
            ([4, 6, 8, 10].contains(index) ? "-" : "") + String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }.joined()
    }

    private static let digits = Array("0123456789abcdef")
}
