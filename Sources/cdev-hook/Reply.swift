/// The daemon's response as it arrives on one connection.
struct Reply: ~Copyable {
    enum Progress {
        case more
        /// A 102: the call is held. `until` is the time from now until the daemon decides by itself. `isWithoutWords`: the
        /// answer will bring no words for the model.
        case held(until: Milliseconds?, isWithoutWords: Bool)
        /// The response is a complete 200; `withBody` gives its body.
        case answered
        case failed(Failure)
        /// The connection ended before the response did.
        case cut
    }

    private var text = Buffer(capacity: 16 * 1024)
    private var bodyStart = 0

    /// Passes the response's body to `use`. Call this only after `advance` returned `answered`.
    borrowing func withBody<Result>(_ use: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.withBytes { use(UnsafeBufferPointer(rebasing: $0[bodyStart...])) }
    }

    mutating func clear() {
        text.truncate(to: 0)
    }

    mutating func fill(from descriptor: Int32) -> Transfer {
        text.fill(from: descriptor)
    }

    /// Parses the bytes that have arrived. `closed` means that no more will.
    mutating func advance(closed: Bool) -> Progress {
        while true {
            switch text.withBytes({ ResponseHead(parsing: $0.span) }) {
            case .incomplete: return closed ? .cut : .more
            case .malformed: return .failed(.badAnswer)
            case .interim(let length, let held, let deadline, let isWithoutWords):
                text.removeFirst(length)
                if held { return .held(until: deadline, isWithoutWords: isWithoutWords) }
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
        // The end of the connection ends the body, so only its brackets tell a complete body from a truncated one.
        guard closed else { return .more }
        if JSONText.isWholeObject(body.span) { return .answered }
        return body.first == UInt8(ascii: "{") ? .cut : .failed(.badAnswer)
    }
}
