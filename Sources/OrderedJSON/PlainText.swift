/// Bytes that a JSON string holds unescaped: all but quotes, backslashes and control characters (RFC 8259, section 7).
enum PlainText {
    /// Index of the first quote, backslash or control byte at or after `start`, else `count`; and whether the bytes
    /// before it are ASCII, which need not be validated as UTF-8.
    static func end(in bytes: [UInt8], from start: Int) -> (index: Int, isASCII: Bool) {
        bytes.withContiguousStorageIfAvailable { end(of: $0, from: start) } ?? end(of: bytes, from: start)
    }

    /// The same for any collection of bytes. Tests eight bytes at once, because every byte of every call is scanned
    /// twice.
    static func end<Bytes: RandomAccessCollection<UInt8>>(
        of bytes: Bytes, from start: Int
    ) -> (index: Int, isASCII: Bool) where Bytes.Index == Int {
        var index = start
        var seen: UInt64 = 0
        while index + 8 <= bytes.count {
            let word = word(of: bytes, at: index)
            if hasSpecial(word) { break }
            seen |= word
            index += 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            seen |= UInt64(byte)
            index += 1
        }
        return (index, seen & high == 0)
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let high = 0x80 * ones

    /// The eight bytes at `index` as one number. The compiler turns this into a single load.
    @inline(__always)
    private static func word<Bytes: RandomAccessCollection<UInt8>>(
        of bytes: Bytes, at index: Int
    ) -> UInt64 where Bytes.Index == Int {
        let low =
            UInt64(bytes[index]) | UInt64(bytes[index + 1]) << 8 | UInt64(bytes[index + 2]) << 16
            | UInt64(bytes[index + 3]) << 24
        let high =
            UInt64(bytes[index + 4]) << 32 | UInt64(bytes[index + 5]) << 40 | UInt64(bytes[index + 6]) << 48
            | UInt64(bytes[index + 7]) << 56
        return low | high
    }

    /// True if one of eight bytes is below 0x20, a quote or a backslash. Subtracting from each byte sets its highest
    /// bit where the byte was smaller. A borrow can only report too many; the caller then tests the bytes one by one.
    @inline(__always)
    private static func hasSpecial(_ word: UInt64) -> Bool {
        let control = word &- 0x20 * ones
        let quote = (word ^ UInt64(UInt8(ascii: "\"")) * ones) &- ones
        let backslash = (word ^ UInt64(UInt8(ascii: "\\")) * ones) &- ones
        return (control | quote | backslash) & ~word & high != 0
    }
}
