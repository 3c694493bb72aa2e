/// Bytes that wait for the kernel to take them, in chunks as they were handed in. A chunk is shared, never copied: the
/// same event waits for a thousand clients in one place.
struct OutputQueue {
    /// Told once, when the chunk's last byte is with the kernel (true) or will never be (false).
    typealias Outcome = (Bool) -> Void

    private struct Chunk {
        let bytes: [UInt8]
        let outcome: Outcome?
    }

    private var chunks: [Chunk] = []
    private var head = 0
    /// Bytes of the first chunk that were sent.
    private var offset = 0
    /// Bytes that were not sent.
    private(set) var byteCount = 0

    var isEmpty: Bool { head == chunks.count }

    mutating func append(_ bytes: [UInt8], sent: Int = 0, outcome: Outcome?) {
        if isEmpty { offset = sent }
        chunks.append(Chunk(bytes: bytes, outcome: outcome))
        byteCount += bytes.count - sent
    }

    func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard !isEmpty else { return nil }
        return chunks[head].bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
    }

    /// Notes that `count` bytes of the first chunk were sent; returns whom to tell if it is through.
    mutating func sent(_ count: Int) -> Outcome? {
        offset += count
        byteCount -= count
        guard offset == chunks[head].bytes.count else { return nil }
        let outcome = chunks[head].outcome
        head += 1
        offset = 0
        compact()
        return outcome
    }

    /// Takes out every chunk of which no byte was sent; returns whom to tell.
    /// - Parameter hasBegun: bytes of the first chunk are on their way although none counts as sent yet.
    mutating func dropUnstarted(hasBegun: Bool) -> [Outcome] {
        let keep = min(offset > 0 || hasBegun ? head + 1 : head, chunks.count)
        let dropped = chunks[keep...]
        byteCount -= dropped.reduce(0) { $0 + $1.bytes.count }
        chunks.removeSubrange(keep...)
        return dropped.compactMap(\.outcome)
    }

    mutating func removeAll() -> [Outcome] {
        let outcomes = chunks[head...].compactMap(\.outcome)
        self = OutputQueue()
        return outcomes
    }

    /// Gives memory back: all of it when nothing waits, the used half otherwise.
    private mutating func compact() {
        if isEmpty {
            chunks = []
            head = 0
        } else if head >= 64, head * 2 >= chunks.count {
            chunks.removeSubrange(..<head)
            head = 0
        }
    }
}
