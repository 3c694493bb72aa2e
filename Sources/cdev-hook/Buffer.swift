/// A growing array of bytes.
///
/// The pointer is safe: the value is noncopyable and so has one owner, and only these members access the memory, always
/// within `capacity`. They read only the first `count` bytes, which are always initialised.
struct Buffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    /// Passes the contents to `body`. The pointer is valid only during the call.
    borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: start, count: count))
    }

    /// Passes the contents, which end with a NUL, to `body` as a C string. The pointer is valid only during the call.
    borrowing func withText<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        start.withMemoryRebound(to: CChar.self, capacity: count) { body($0) }
    }

    borrowing func ends(with text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        return (0..<length).allSatisfy { start[count - length + $0] == text.utf8Start[$0] }
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
        guard let base = source.baseAddress else { return }
        reserve(source.count)
        (start + count).update(from: base, count: source.count)
        count += source.count
    }

    mutating func append(_ text: UnsafePointer<CChar>) {
        let length = System.length(text)
        text.withMemoryRebound(to: UInt8.self, capacity: length) {
            append(UnsafeBufferPointer(start: $0, count: length))
        }
    }

    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    mutating func append(hexadecimal byte: UInt8) {
        append(Self.digit(byte >> 4))
        append(Self.digit(byte & 15))
    }

    /// Appends zero bytes.
    mutating func append(zeros: Int) {
        reserve(zeros)
        (start + count).update(repeating: 0, count: zeros)
        count += zeros
    }

    /// Overwrites the bytes before `end` with `text`.
    mutating func overwrite(endingAt end: Int, with text: borrowing Buffer) {
        guard text.count <= end, end <= count else { return }
        (start + end - text.count).update(from: text.start, count: text.count)
    }

    mutating func truncate(to length: Int) {
        count = min(count, length)
    }

    mutating func removeFirst(_ number: Int) {
        let removed = min(number, count)
        start.update(from: start + removed, count: count - removed)
        count -= removed
    }

    /// Reads once from a descriptor, after making room for at least 4096 bytes.
    mutating func fill(from descriptor: Int32) -> Transfer {
        reserve(4096)
        let transfer = System.readSome(descriptor, into: start + count, upTo: capacity - count)
        if case .bytes(let number) = transfer { count += number }
        return transfer
    }

    private mutating func reserve(_ free: Int) {
        guard capacity - count < free else { return }
        let larger = max(capacity * 2, count + free)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memory.update(from: start, count: count)
        start.deallocate()
        start = memory
        capacity = larger
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
