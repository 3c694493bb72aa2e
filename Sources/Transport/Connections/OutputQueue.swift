/// Output that the kernel has not taken, in the chunks in which it was written. Chunks are shared, not copied: an event
/// that waits for a thousand clients is in memory once.
struct OutputQueue {
    /// Called once: with true when the kernel has taken the chunk's last byte, with false when it never will.
    typealias Outcome = (Bool) -> Void

    private struct Chunk {
        let bytes: [UInt8]
        let outcome: Outcome?
    }

    private var chunks: [Chunk] = []
    private var head = 0
    /// The number of bytes of the first chunk that were sent.
    private var offset = 0
    /// The number of bytes that were not sent.
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

    /// Notes that `count` bytes of the first chunk were sent. Returns the chunk's outcome if they were the last.
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

    /// Removes every chunk of which no byte was sent. Returns the outcomes to call.
    /// - Parameter hasBegun: True if the first chunk is being sent although none of its bytes counts as sent yet.
    mutating func dropUnstarted(hasBegun: Bool) -> [Outcome] {
        let keep = min(offset > 0 || hasBegun ? head + 1 : head, chunks.count)
        let dropped = chunks[keep...]
        byteCount -= dropped.reduce(0) { $0 + $1.bytes.count }
        chunks.removeSubrange(keep...)
        return dropped.compactMap(\.outcome)
    }

    /// Removes every chunk. Returns the outcomes to call.
    mutating func removeAll() -> [Outcome] {
        let outcomes = chunks[head...].compactMap(\.outcome)
        self = OutputQueue()
        return outcomes
    }

    /// Releases the memory of sent chunks: all of it if nothing waits, else once they are half of the array.
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
