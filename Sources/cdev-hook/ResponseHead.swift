/// The head of an HTTP/1.1 response (RFC 9112), parsed strictly: anything unknown is refused, never guessed.
enum ResponseHead {
    /// The longest head in bytes, the empty line included.
    static let ceiling = 16 * 1024

    case incomplete
    case malformed
    /// A 1xx head of `length` bytes. `held` is true for a 102: the daemon has the call. `deadline` is its
    /// `Cdev-Deadline`, the time from now until the daemon decides by itself; `isWithoutWords` its `Cdev-Words: none`.
    case interim(length: Int, held: Bool, deadline: Milliseconds?, isWithoutWords: Bool)
    /// `body` is the Content-Length; nil if the end of the connection ends the body.
    case final(length: Int, status: Int, body: Int?)

    init(parsing text: Span<UInt8>) {
        guard let end = Self.end(text) else {
            self = text.count >= Self.ceiling ? .malformed : .incomplete
            return
        }
        guard let status = Self.status(text, end), let fields = Fields(text, end) else {
            self = .malformed
            return
        }
        switch status {
        case 101: self = .malformed
        case 100..<200:
            self = .interim(
                length: end, held: status == 102, deadline: fields.deadline, isWithoutWords: fields.isWithoutWords)
        default: self = .final(length: end, status: status, body: fields.contentLength)
        }
    }

    /// The index of the first byte after the head; nil if the head is incomplete.
    private static func end(_ text: Span<UInt8>) -> Int? {
        let limit = min(text.count, ceiling)
        var at = 3
        while at < limit {
            if text[at] == 0x0A, text[at - 1] == 0x0D, text[at - 2] == 0x0A, text[at - 3] == 0x0D { return at + 1 }
            at += 1
        }
        return nil
    }

    /// `HTTP/1.0 200` or `HTTP/1.1 200`, followed by a space and a reason, or by nothing.
    private static func status(_ text: Span<UInt8>, _ end: Int) -> Int? {
        let version: StaticString = "HTTP/1."
        guard end >= 16 else { return nil }
        for at in 0..<7 where text[at] != version.utf8Start[at] { return nil }
        guard text[7] == UInt8(ascii: "0") || text[7] == UInt8(ascii: "1"), text[8] == 0x20 else { return nil }
        guard text[12] == 0x20 || text[12] == 0x0D else { return nil }
        var status = 0
        for at in 9..<12 {
            guard let digit = digit(text[at]) else { return nil }
            status = status * 10 + digit
        }
        return status >= 100 ? status : nil
    }

    static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
