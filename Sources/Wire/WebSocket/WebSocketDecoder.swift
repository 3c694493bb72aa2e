/// Decodes one direction of a WebSocket connection (RFC 6455) and joins fragments.
///
/// Call `receive` with bytes, then `next` until nil. Faults are detected early: a bad header before the payload is
/// read, and bad text at the first byte that is not UTF-8. Only the payload of a close frame is checked as a whole.
/// Events depend on the bytes alone, not on how they were split.
package struct WebSocketDecoder: Sendable {
    private let role: WebSocketRole
    private let limits: WebSocketLimits
    private var buffer = ReceiveBuffer()
    private var isClosed = false
    /// The frame whose payload is being read, and the number of payload bytes read.
    private var frame: WebSocketFrameHeader?
    private var position = 0
    /// The opcode of the first frame of the message being joined, and the payload so far.
    private var kind: WebSocketOpcode?
    private var message: [UInt8] = []
    private var validator = UTF8Validator()
    private var control: [UInt8] = []

    package init(role: WebSocketRole, limits: WebSocketLimits = .standard) {
        self.role = role
        self.limits = limits
    }

    /// True if a frame or a message has begun but not ended.
    package var isMidMessage: Bool { frame != nil || kind != nil || !buffer.isEmpty }

    /// The pointer is used during the call only.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        if !isClosed { buffer.append(bytes) }
    }

    package mutating func receive(_ bytes: some Collection<UInt8>) {
        if !isClosed { buffer.append(bytes) }
    }

    /// The next event, nil if more bytes are needed.
    package mutating func next() -> WebSocketEvent? {
        do throws(WebSocketFault) {
            while !isClosed {
                if frame == nil, try !beginFrame() { return nil }
                guard try readPayload() else { return nil }
                if let event = try finishFrame() { return event }
            }
            return nil
        } catch {
            end()
            return .failure(closeCode: error.code, error.message)
        }
    }

    private mutating func end() {
        self = WebSocketDecoder(role: role, limits: limits)
        isClosed = true
    }

    private mutating func beginFrame() throws(WebSocketFault) -> Bool {
        guard let header = try WebSocketFrameHeader(parsing: buffer.bytes[buffer.start...], role: role) else {
            return false
        }
        if !header.opcode.isControl { try beginData(header) }
        buffer.consume(header.size)
        frame = header
        position = 0
        return true
    }

    private mutating func beginData(_ header: WebSocketFrameHeader) throws(WebSocketFault) {
        if header.opcode == .continuation {
            guard kind != nil else { throw .protocolError("a continuation without a message to continue") }
        } else {
            guard kind == nil else { throw .protocolError("a message begins inside another") }
            kind = header.opcode
        }
        guard header.length <= limits.frame, header.length <= limits.message - message.count else {
            throw WebSocketFault(
                code: WebSocketCloseCode.messageTooBig, message: "a message is larger than \(limits.message) bytes")
        }
    }

    /// Reads as much of the payload as has arrived. Returns true once the payload is complete.
    private mutating func readPayload() throws(WebSocketFault) -> Bool {
        guard let frame else { return false }
        if frame.opcode.isControl {
            position += Self.move(frame, from: position, of: &buffer, to: &control)
        } else {
            let start = message.count
            position += Self.move(frame, from: position, of: &buffer, to: &message)
            if kind == .text, !validator.accept(message[start...]) { throw Self.invalidText }
        }
        return position == frame.length
    }

    /// Moves the payload that has arrived after `position` to `target`, unmasks it and returns its length.
    private static func move(
        _ frame: WebSocketFrameHeader, from position: Int, of buffer: inout ReceiveBuffer, to target: inout [UInt8]
    ) -> Int {
        let start = target.count
        let length = buffer.move(upTo: frame.length - position, to: &target)
        WebSocketFrame.applyMask(frame.mask, to: &target, from: start, phase: position)
        return length
    }

    /// The event of a complete frame; nil for a fragment that is not the last.
    private mutating func finishFrame() throws(WebSocketFault) -> WebSocketEvent? {
        guard let frame else { return nil }
        self.frame = nil
        if frame.opcode.isControl {
            let payload = control
            control = []
            switch frame.opcode {
            case .ping: return .ping(payload)
            case .pong: return .pong(payload)
            default: return try close(payload)
            }
        }
        return frame.isFinal ? try finishMessage() : nil
    }

    private mutating func finishMessage() throws(WebSocketFault) -> WebSocketEvent {
        guard validator.isComplete else { throw Self.invalidText }
        let isText = kind == .text
        let payload = message
        message = []
        kind = nil
        return isText ? .text(String(decoding: payload, as: UTF8.self)) : .binary(payload)
    }

    private mutating func close(_ payload: [UInt8]) throws(WebSocketFault) -> WebSocketEvent {
        guard !payload.isEmpty else {
            end()
            return .close(code: nil, reason: "")
        }
        guard payload.count >= 2 else { throw .protocolError("a close frame holds half a code") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard WebSocketCloseCode.isSendable(code) else { throw .protocolError("no close frame may carry this code") }
        var check = UTF8Validator()
        guard check.accept(payload[2...]), check.isComplete else { throw Self.invalidText }
        end()
        return .close(code: code, reason: String(decoding: payload[2...], as: UTF8.self))
    }

    private static let invalidText = WebSocketFault(
        code: WebSocketCloseCode.invalidText, message: "text that is not UTF-8")
}
