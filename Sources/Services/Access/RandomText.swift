/// Random bits as text, from the kernel's source (`getrandom` on Linux).
package enum RandomText {
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Five bits a letter, in an alphabet without look-alikes (Crockford's).
    package static func base32(bits: Int) -> String {
        var random = SystemRandomNumberGenerator()
        let count = (bits + 4) / 5
        var text: [UInt8] = []
        text.reserveCapacity(count)
        // One call of the generator gives twelve letters.
        while text.count < count {
            var word: UInt64 = random.next()
            for _ in 0..<min(12, count - text.count) {
                text.append(letters[Int(word & 31)])
                word >>= 5
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A number in the same alphabet, the most significant letter first, so that texts sort as the numbers do.
    package static func base32(_ number: Int64, letters count: Int) -> String {
        let digits = (0..<count).reversed().map { letters[Int(number >> (5 * $0) & 31)] }
        return String(decoding: digits, as: UTF8.self)
    }
}
