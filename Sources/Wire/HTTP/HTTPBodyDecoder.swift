/// The rule that determines the end of a message's content (RFC 9112 section 6.3).
enum HTTPFraming: Sendable, Equatable {
    case length(Int)
    case chunked
    /// The end of the connection ends the content. Only responses may use this.
    case untilClose
}

/// Collects the content of one message with any framing.
struct HTTPBodyDecoder: Sendable {
    private enum Phase {
        case data(remaining: Int)
        case chunkSize
        case chunkData(remaining: Int)
        case chunkEnd
        case trailers
        case untilClose
        case whole
    }

    /// The most bytes reserved before content has arrived, so that a declared length alone does not cost memory.
    private static let firstReserve = 64 * 1024

    private let limits: HTTPLimits
    private var phase: Phase
    private var content: [UInt8] = []
    /// The number of bytes of chunk extensions and trailers that may still follow. They are ignored, so their size is
    /// limited.
    private var spare: Int
    private var trailers = HTTPFieldSection()

    init(_ framing: HTTPFraming, limits: HTTPLimits) throws(HTTPFault) {
        self.limits = limits
        spare = limits.header
        switch framing {
        case .length(let length):
            guard length <= limits.body else { throw Self.tooLarge(limits) }
            phase = .data(remaining: length)
            content.reserveCapacity(min(length, Self.firstReserve))
        case .chunked: phase = .chunkSize
        case .untilClose: phase = .untilClose
        }
    }

    var isUntilClose: Bool { if case .untilClose = phase { true } else { false } }

    /// Removes and returns the content read so far.
    mutating func take() -> [UInt8] {
        defer { content = [] }
        return content
    }

    /// Reads from `buffer` as much as it has. Returns true once the content is complete.
    mutating func read(from buffer: inout ReceiveBuffer) throws(HTTPFault) -> Bool {
        while true {
            switch phase {
            case .data(let remaining):
                guard let rest = moveData(remaining, from: &buffer) else { return true }
                phase = .data(remaining: rest)
                reserve(rest)
                return false
            case .chunkData(let remaining):
                if let rest = moveData(remaining, from: &buffer) {
                    phase = .chunkData(remaining: rest)
                    return false
                }
                phase = .chunkEnd
            case .chunkSize: guard try readChunkSize(from: &buffer) else { return false }
            case .chunkEnd: guard try readChunkEnd(from: &buffer) else { return false }
            case .trailers: guard try readTrailer(from: &buffer) else { return false }
            case .untilClose:
                _ = buffer.move(upTo: buffer.count, to: &content)
                guard content.count <= limits.body else { throw Self.tooLarge(limits) }
                return false
            case .whole: return true
            }
        }
    }

    /// Moves content from the buffer. Returns how many bytes are still missing, or nil if none are.
    private mutating func moveData(_ remaining: Int, from buffer: inout ReceiveBuffer) -> Int? {
        let rest = remaining - buffer.move(upTo: remaining, to: &content)
        return rest == 0 ? nil : rest
    }

    /// Whoever has sent this much sends the rest too: megabytes are not copied each time the array grows. Only for a
    /// declared length: chunk by chunk, each exact reservation would copy all before it.
    private mutating func reserve(_ rest: Int) {
        if content.count >= Self.firstReserve { content.reserveCapacity(content.count + rest) }
    }

    private mutating func readChunkSize(from buffer: inout ReceiveBuffer) throws(HTTPFault) -> Bool {
        guard let (line, length) = try nextLine(of: &buffer, limit: HTTPChunkHeader.maximumSizeLength + 2 + spare)
        else { return false }
        let header = try HTTPChunkHeader(parsing: buffer.bytes[line])
        buffer.consume(length)
        spare -= header.extensionLength
        guard spare >= 0 else { throw .headTooLarge }
        guard header.size <= limits.body - content.count else { throw Self.tooLarge(limits) }
        phase = header.size == 0 ? .trailers : .chunkData(remaining: header.size)
        return true
    }

    private mutating func readChunkEnd(from buffer: inout ReceiveBuffer) throws(HTTPFault) -> Bool {
        guard buffer.count >= 2 else { return false }
        guard buffer.bytes[buffer.start] == ByteClass.carriageReturn,
            buffer.bytes[buffer.start + 1] == ByteClass.lineFeed
        else { throw .malformed("a chunk is longer than its size says") }
        buffer.consume(2)
        phase = .chunkSize
        return true
    }

    /// Reads one trailer field or the final empty line. Trailers are checked like any field and dropped, because no
    /// caller needs one.
    private mutating func readTrailer(from buffer: inout ReceiveBuffer) throws(HTTPFault) -> Bool {
        guard let (line, length) = try nextLine(of: &buffer, limit: spare + 2) else { return false }
        if line.isEmpty {
            phase = .whole
        } else {
            spare -= length
            guard spare >= 0 else { throw .headTooLarge }
            try trailers.add(line, of: buffer.bytes, countLimit: limits.headerCount)
            guard !trailers.decidesFraming else { throw .malformed("a trailer says how the message is framed") }
        }
        buffer.consume(length)
        return true
    }

    private func nextLine(
        of buffer: inout ReceiveBuffer, limit: Int
    ) throws(HTTPFault) -> (line: Range<Int>, length: Int)? {
        switch buffer.line(limit: limit) {
        case .found(let line, let length): return (line, length)
        case .incomplete: return nil
        case .tooLong: throw .headTooLarge
        case .bareLineFeed: throw .bareLineFeed
        }
    }

    private static func tooLarge(_ limits: HTTPLimits) -> HTTPFault {
        HTTPFault(.contentTooLarge, "the content is larger than \(limits.body) bytes")
    }
}
