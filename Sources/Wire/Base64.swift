/// Base64 with padding (RFC 4648 section 4), and base64url without padding (section 5), the form that JWTs and push
/// subscriptions use.
package enum Base64 {
    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = Array((common + "+/").utf8)
    private static let forURLs = Array((common + "-_").utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var output = letters(of: bytes, standard)
        while !output.count.isMultiple(of: 4) { output.append(UInt8(ascii: "=")) }
        return String(decoding: output, as: UTF8.self)
    }

    package static func encodeForURL(_ bytes: [UInt8]) -> String {
        String(decoding: letters(of: bytes, forURLs), as: UTF8.self)
    }

    /// The bytes of a text that `encode` returned; nil for any other text.
    package static func decode(_ text: String) -> [UInt8]? {
        decodeEither(text).flatMap { encode($0) == text ? $0 : nil }
    }

    /// The bytes of a text in either alphabet, with correct padding or none; nil for what no encoder writes. Browsers
    /// and libraries differ in how they spell a subscription's keys.
    package static func decodeEither(_ text: String) -> [UInt8]? {
        let letters = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        let padding = text.utf8.count - letters.count
        guard padding <= 2, padding == 0 || text.utf8.count.isMultiple(of: 4) else { return nil }
        var output: [UInt8] = []
        var bits = 0
        var count = 0
        for letter in letters {
            guard let value = value(letter) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        guard count < 6, bits & (1 << count - 1) == 0 else { return nil }
        return output
    }

    private static func letters(of bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0...group.count { output.append(alphabet[bits >> (18 - 6 * place) & 63]) }
        }
        return output
    }

    private static func value(_ letter: UInt8) -> Int? {
        switch letter {
        case 0x41...0x5A: Int(letter) - 0x41
        case 0x61...0x7A: Int(letter) - 0x61 + 26
        case 0x30...0x39: Int(letter) - 0x30 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
