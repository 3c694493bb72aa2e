extension String {
    /// Length in bytes of the text between the quotes when it is written as JSON.
    var escapedLength: Int {
        utf8.reduce(0) { $0 + Self.cost(of: $1) }
    }

    /// The longest prefix of whole characters that takes at most `limit` bytes as JSON; nil if the whole text fits. A
    /// character longer than `longestCharacter` is cut inside.
    func cut(toEscapedLength limit: Int) -> String? {
        var left = limit
        var end = utf8.startIndex
        while end < utf8.endIndex {
            left -= Self.cost(of: utf8[end])
            if left < 0 { break }
            utf8.formIndex(after: &end)
        }
        guard end < utf8.endIndex else { return nil }
        return String(self[..<wholeCharacters(before: end)])
    }

    /// End of the last whole character at or before `limit`. Searches only the last `longestCharacter` bytes: asking
    /// the whole text at each place would walk a million combining marks each time.
    private func wholeCharacters(before limit: Index) -> Index {
        var start = utf8.index(limit, offsetBy: -Self.longestCharacter, limitedBy: startIndex) ?? startIndex
        while !isScalar(at: start) { start = utf8.index(before: start) }
        let end = self[start...].indices.prefix { $0 <= limit }.last ?? start
        guard end == start, start > startIndex else { return end }
        var cut = limit
        while !isScalar(at: cut) { cut = utf8.index(before: cut) }
        return cut
    }

    private func isScalar(at index: Index) -> Bool {
        utf8[index] & 0xC0 != 0x80
    }

    /// Bytes. A family of four as one emoji takes 25.
    private static let longestCharacter = 64

    private static func cost(of byte: UInt8) -> Int {
        switch byte {
        case 0x08, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
        case ..<0x20: 6
        default: 1
        }
    }
}
