extension JSONDocument {
    /// What stands between an item and the one before it, as the file does it at this place; for the first item, as
    /// between the first two.
    func separator(before place: Int, of parent: JSONNode) -> [UInt8] {
        let items = parent.items
        if items.count > 1 {
            let next = min(max(place, 1), items.count - 1)
            return Array(bytes[items[next - 1].upperBound..<items[next].lowerBound])
        }
        let lead = bytes[parent.range.lowerBound + 1..<items[0].lowerBound]
        return [UInt8(ascii: ",")] + (Self.hasLineBreak(lead) ? Array(lead) : JSONStyle(of: self).gap)
    }

    /// The indentation an item has behind this separator; nil if it stands on the same line.
    func indentation(after separator: [UInt8]) -> [UInt8]? {
        Self.hasLineBreak(separator[...]) ? Self.tail(of: separator[...]) : nil
    }

    /// The white space at the beginning of the line this byte is on.
    func indentation(at offset: Int) -> [UInt8] {
        var start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        if let lineBreak = bytes[..<offset].lastIndex(where: Self.isLineBreak) { start = lineBreak + 1 }
        return Self.blanks(bytes[start..<offset])
    }

    private static func blanks(_ text: ArraySlice<UInt8>) -> [UInt8] {
        Array(text.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    }

    static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    static func hasLineBreak(_ text: ArraySlice<UInt8>) -> Bool {
        text.contains(where: isLineBreak)
    }

    /// The white space behind the last line break.
    static func tail(of text: ArraySlice<UInt8>) -> [UInt8] {
        text.lastIndex(where: isLineBreak).map { blanks(text[($0 + 1)...]) } ?? []
    }
}
