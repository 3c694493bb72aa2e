extension JSONDocument {
    /// The text between two items, copied from the file: between the item at `place` and the item before it, or for the
    /// first place between the first two items. With only one item: a comma and the line break before that item, or a
    /// gap.
    func separator(before place: Int, of parent: JSONNode) -> [UInt8] {
        let items = parent.items
        if items.count > 1 {
            let next = min(max(place, 1), items.count - 1)
            return Array(bytes[items[next - 1].upperBound..<items[next].lowerBound])
        }
        let lead = bytes[parent.range.lowerBound + 1..<items[0].lowerBound]
        return [UInt8(ascii: ",")] + (Self.hasLineBreak(lead) ? Array(lead) : JSONStyle(of: self).gap)
    }

    /// The indentation of an item after this separator; nil if the item is on the same line as the one before.
    func indentation(after separator: [UInt8]) -> [UInt8]? {
        Self.hasLineBreak(separator[...]) ? Self.tail(of: separator[...]) : nil
    }

    /// The indentation of the line that contains the byte at `offset`.
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

    /// The spaces and tabs after the last line break.
    static func tail(of text: ArraySlice<UInt8>) -> [UInt8] {
        text.lastIndex(where: isLineBreak).map { blanks(text[($0 + 1)...]) } ?? []
    }
}
