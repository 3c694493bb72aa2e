/// The content of a file, or its beginning.
package struct FileContent: Sendable, Hashable {
    package var bytes: [UInt8]
    /// Bytes of the whole file.
    package let size: Int64
    /// False if the bytes are UTF-8 without NUL.
    package let isBinary: Bool

    /// Bytes at the beginning by which a file counts as binary, as for git.
    package static let probe = 8000

    /// - Parameters:
    ///   - bytes: The file's first bytes.
    ///   - size: Bytes of the whole file.
    package init(_ bytes: [UInt8], size: Int64) {
        let isCut = Int64(bytes.count) < size
        let text = isCut ? Self.cut(bytes, to: bytes.count) : bytes[...]
        isBinary = bytes.prefix(Self.probe).contains(0) || String(validating: text, as: UTF8.self) == nil
        self.bytes = isBinary ? bytes : Array(text)
        self.size = size
    }

    package var isTruncated: Bool { Int64(bytes.count) < size }

    /// The content with at most so many bytes. A text is cut between characters.
    package func shortened(to count: Int) -> FileContent {
        guard count < bytes.count else { return self }
        var shorter = self
        shorter.bytes = isBinary ? Array(bytes.prefix(count)) : Array(Self.cut(bytes, to: count))
        return shorter
    }

    /// At most so many bytes, without a part of a UTF-8 sequence at the end.
    private static func cut(_ bytes: [UInt8], to count: Int) -> ArraySlice<UInt8> {
        let start = bytes.prefix(count)
        // The first byte of the last sequence is at most four bytes before the end.
        guard let lead = start.indices.suffix(4).last(where: { start[$0] & 0xC0 != 0x80 }) else { return start }
        let length = sequenceLength(start[lead])
        return start.endIndex - lead < length ? start[..<lead] : start
    }

    private static func sequenceLength(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}
