extension String {
    /// Bytes between the quotes once written as JSON.
    var escapedLength: Int {
        utf8.reduce(0) { $0 + Self.cost(of: $1) }
    }

    /// The longest beginning of whole characters that takes at most `limit` bytes as JSON; nil where all of it does. Of a
    /// character longer than any real one a part stays.
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

    /// Where the last character ends that is over at `limit`. Asked of the text itself for one place after the other, a
    /// million combining marks would be gone through for each.
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

    /// In bytes; a family of four takes 25.
    private static let longestCharacter = 64

    private static func cost(of byte: UInt8) -> Int {
        switch byte {
        case 0x08, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
        case ..<0x20: 6
        default: 1
        }
    }
}
