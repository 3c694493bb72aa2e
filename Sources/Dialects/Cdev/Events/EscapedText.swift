extension String {
    /// Bytes between the quotes once written as JSON.
    var escapedLength: Int {
        utf8.reduce(0) { $0 + Self.cost(of: $1) }
    }

    /// The longest beginning of whole characters that takes at most `limit` bytes as JSON; nil where all of it does.
    func cut(toEscapedLength limit: Int) -> String? {
        var left = limit
        var end = utf8.startIndex
        while end < utf8.endIndex {
            left -= Self.cost(of: utf8[end])
            if left < 0 { break }
            utf8.formIndex(after: &end)
        }
        guard end < utf8.endIndex else { return nil }
        while end > startIndex, String.Index(end, within: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    private static func cost(of byte: UInt8) -> Int {
        switch byte {
        case 0x08, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
        case ..<0x20: 6
        default: 1
        }
    }
}
