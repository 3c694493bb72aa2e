/// The opcodes of RFC 6455 section 5.2.
enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// The two to fourteen bytes before a frame's payload (RFC 6455 section 5.2).
struct WebSocketFrameHeader: Sendable {
    static let maximumControlPayload = 125

    let opcode: WebSocketOpcode
    let isFinal: Bool
    let length: Int
    /// Nil if the payload is not masked.
    let mask: UInt32?
    /// The length of the header itself in bytes.
    let size: Int

    /// Nil if `bytes` do not hold the whole header. Throws as soon as the bytes of a wrong field are there.
    init?(parsing bytes: ArraySlice<UInt8>, role: WebSocketRole) throws(WebSocketFault) {
        guard bytes.count >= 2 else { return nil }
        let first = bytes[bytes.startIndex]
        let second = bytes[bytes.startIndex + 1]
        guard first & 0x70 == 0 else { throw .protocolError("a reserved bit is set and no extension was agreed on") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else { throw .protocolError("reserved opcode") }
        let isMasked = second & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw .protocolError(isMasked ? "a server must not mask its frames" : "a client must mask its frames")
        }
        self.opcode = opcode
        isFinal = first & 0x80 != 0
        let short = Int(second & 0x7F)
        if opcode.isControl {
            guard isFinal else { throw .protocolError("a control frame is fragmented") }
            guard short <= Self.maximumControlPayload else {
                throw .protocolError("a control frame is longer than 125 bytes")
            }
        }
        let extended = short == 127 ? 8 : short == 126 ? 2 : 0
        size = 2 + extended + (isMasked ? 4 : 0)
        let maskStart = bytes.startIndex + 2 + extended
        guard bytes.endIndex >= maskStart else { return nil }
        // Refuse a wrong length before the mask has arrived.
        length = try Self.length(short, bytes[(bytes.startIndex + 2)..<maskStart])
        guard bytes.count >= size else { return nil }
        mask = isMasked ? UInt32(truncatingIfNeeded: Self.number(bytes[maskStart..<maskStart + 4])) : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func length(_ short: Int, _ extended: ArraySlice<UInt8>) throws(WebSocketFault) -> Int {
        guard !extended.isEmpty else { return short }
        let value = number(extended)
        guard value > (extended.count == 2 ? 125 : 0xFFFF) else {
            throw .protocolError("a frame's length is not in its shortest form")
        }
        guard let length = Int(exactly: value) else { throw .protocolError("a frame's length has its highest bit set") }
        return length
    }
}
