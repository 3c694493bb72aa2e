/// The answer as it arrives on one connection.
struct Reply: ~Copyable {
    enum Progress {
        case more
        /// A 102: the call is held.
        case held(until: Milliseconds?)
        /// The body of a 200 is there, see `body`.
        case answered
        case failed(Failure)
        /// The connection ended before the answer did.
        case cut
    }

    private var text = Buffer(capacity: 16 * 1024)
    private var bodyStart = 0

    /// Lends the answer's body once `advance` said `answered`.
    borrowing func withBody<Result>(_ use: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.withBytes { use(UnsafeBufferPointer(rebasing: $0[bodyStart...])) }
    }

    mutating func clear() {
        text.truncate(to: 0)
    }

    mutating func fill(from descriptor: Int32) -> Transfer {
        text.fill(from: descriptor)
    }

    /// Reads on in what has arrived. `closed`: nothing more will.
    mutating func advance(closed: Bool) -> Progress {
        while true {
            switch text.withBytes({ ResponseHead(parsing: $0.span) }) {
            case .incomplete: return closed ? .cut : .more
            case .malformed: return .failed(.badAnswer)
            case .interim(let length, let held, let deadline):
                text.removeFirst(length)
                if held { return .held(until: deadline) }
            case .final(let length, 200, let body):
                bodyStart = length
                return withBody { Self.progress(of: $0, expecting: body, closed: closed) }
            case .final(_, let status, _): return .failed(.status(status))
            }
        }
    }

    private static func progress(
        of body: UnsafeBufferPointer<UInt8>, expecting length: Int?, closed: Bool
    ) -> Progress {
        guard max(length ?? 0, body.count) <= Limits.body else { return .failed(.answerTooLarge) }
        if let length {
            if body.count < length { return closed ? .cut : .more }
            return body.count == length && JSONText.isWholeObject(body.span) ? .answered : .failed(.badAnswer)
        }
        // The body ends with the connection, so only its brackets can tell a whole one from one cut short.
        guard closed else { return .more }
        if JSONText.isWholeObject(body.span) { return .answered }
        return body.first == UInt8(ascii: "{") ? .cut : .failed(.badAnswer)
    }
}
