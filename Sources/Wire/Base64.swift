/// Base64 with padding (RFC 4648 section 4), for the WebSocket handshake.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                let letter = alphabet[bits >> (18 - 6 * place) & 63]
                output.append(place <= group.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes, or nil for anything an encoder would not have written: no padding left out, no bit set that is unused.
    package static func decode(_ text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        let body = letters.prefix { $0 != UInt8(ascii: "=") }
        guard letters.count.isMultiple(of: 4), letters.count - body.count <= 2 else { return nil }
        var output: [UInt8] = []
        var bits = 0
        var bitCount = 0
        for letter in body {
            guard let value = value(letter) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        return encode(output) == text ? output : nil
    }

    private static func value(_ letter: UInt8) -> Int? {
        switch letter {
        case 0x41...0x5A: Int(letter) - 0x41
        case 0x61...0x7A: Int(letter) - 0x61 + 26
        case 0x30...0x39: Int(letter) - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
