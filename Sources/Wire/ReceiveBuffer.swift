/// Bytes that were received and not yet consumed.
///
/// The work is linear in the bytes: a line that arrives byte by byte is searched from where the last search ended, and
/// consumed bytes are removed only once there are as many as remaining ones. An empty buffer holds no memory, because
/// thousands of connections wait with an empty one.
struct ReceiveBuffer: Sendable {
    enum Line {
        /// The line's range in `bytes` without its end (CR LF), and the number of bytes to `consume` with the end.
        case found(Range<Int>, length: Int)
        case incomplete
        /// The first `limit` bytes contain no line end.
        case tooLong
        /// A line feed without a carriage return.
        case bareLineFeed
    }

    private(set) var bytes: [UInt8] = []
    private(set) var start = 0
    private var searched = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { start == bytes.count }
    /// The first byte not yet consumed.
    var first: UInt8? { isEmpty ? nil : bytes[start] }

    mutating func append(_ new: some Collection<UInt8>) {
        if start > 0, start >= bytes.count - start {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The next line if it ends within `limit` bytes.
    mutating func line(limit: Int) -> Line {
        let end = min(bytes.count, start + max(0, limit))
        var index = max(start, searched)
        while index < end, bytes[index] != ByteClass.lineFeed { index += 1 }
        searched = index
        guard index < end else { return count >= limit ? .tooLong : .incomplete }
        guard index > start, bytes[index - 1] == ByteClass.carriageReturn else { return .bareLineFeed }
        return .found(start..<index - 1, length: index + 1 - start)
    }

    mutating func consume(_ length: Int) {
        start += length
        if isEmpty { self = ReceiveBuffer() }
    }

    /// Moves up to `limit` bytes to the end of `target` and returns how many.
    mutating func move(upTo limit: Int, to target: inout [UInt8]) -> Int {
        let length = min(limit, count)
        target.append(contentsOf: bytes[start..<start + length])
        consume(length)
        return length
    }

    mutating func takeAll() -> [UInt8] {
        let rest = start == 0 ? bytes : Array(bytes[start...])
        self = ReceiveBuffer()
        return rest
    }
}
