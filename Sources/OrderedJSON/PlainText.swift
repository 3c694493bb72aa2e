/// What stands in a JSON string as it is: all but quotes, backslashes and control characters (RFC 8259, section 7).
enum PlainText {
    /// Where it ends: at the first byte, at `start` or behind it, that is not part of it, else at the end of `bytes`. And
    /// whether it is ASCII, which needs no look at whether it is valid.
    static func end<Bytes: RandomAccessCollection<UInt8>>(
        in bytes: Bytes, from start: Int
    ) -> (index: Int, isASCII: Bool) where Bytes.Index == Int {
        var index = start
        var seen: UInt8 = 0
        let end = bytes.endIndex
        while index < end {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            seen |= byte
            index += 1
        }
        return (index, seen < 0x80)
    }
}
