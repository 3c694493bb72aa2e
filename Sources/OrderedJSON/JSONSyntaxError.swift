/// The place and the reason why a text is not JSON.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    /// Counted from 1. A line ends at LF, CR LF or CR.
    package let line: Int
    /// Counted from 1, in Unicode code points. Of bytes that are not UTF-8, each that is no continuation byte (0x80 to
    /// 0xBF) counts as one.
    package let column: Int
    /// The number of bytes before the fault.
    package let offset: Int
    package let message: String

    package var description: String {
        "line \(line), column \(column): \(message)"
    }

    init(_ message: String, at offset: Int, in bytes: [UInt8]) {
        let position = TextPosition(of: offset, in: bytes)
        line = position.line
        column = position.column
        self.offset = offset
        self.message = message
    }
}

/// Line and column of a byte, computed only for messages. A byte order mark takes up no column.
struct TextPosition: Hashable {
    private(set) var line = 1
    private(set) var column = 1

    init(of offset: Int, in bytes: [UInt8]) {
        let start = bytes.starts(with: JSONDocument.byteOrderMark) ? JSONDocument.byteOrderMark.count : 0
        for index in start..<max(start, offset) {
            let byte = bytes[index]
            let isReturnBeforeNewline =
                byte == UInt8(ascii: "\r") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
            if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && !isReturnBeforeNewline) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 && !isReturnBeforeNewline {
                column += 1
            }
        }
    }
}
