/// Encodes frames (RFC 6455 section 5). Messages are never fragmented.
///
/// A server passes no `mask`; a client passes 32 unpredictable bits, new ones for each frame.
package enum WebSocketFrame {
    package static func text(_ text: String, mask: UInt32? = nil) -> [UInt8] {
        frame(.text, text.utf8, mask)
    }

    /// A text message from bytes that are known to be UTF-8, such as serialised JSON.
    package static func text(utf8 bytes: [UInt8], mask: UInt32? = nil) -> [UInt8] {
        frame(.text, bytes, mask)
    }

    package static func binary(_ bytes: [UInt8], mask: UInt32? = nil) -> [UInt8] {
        frame(.binary, bytes, mask)
    }

    /// Sends only the first 125 bytes of the payload: no control frame may be longer.
    package static func ping(_ payload: [UInt8] = [], mask: UInt32? = nil) -> [UInt8] {
        frame(.ping, payload.prefix(WebSocketFrameHeader.maximumControlPayload), mask)
    }

    /// Sends only the first 125 bytes of the payload: no control frame may be longer.
    package static func pong(_ payload: [UInt8], mask: UInt32? = nil) -> [UInt8] {
        frame(.pong, payload.prefix(WebSocketFrameHeader.maximumControlPayload), mask)
    }

    /// A reason that is too long for a control frame is cut between two code points. Without a code, no reason is sent.
    package static func close(code: UInt16?, reason: String = "", mask: UInt32? = nil) -> [UInt8] {
        guard let code else { return frame(.close, [], mask) }
        var payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
        for scalar in reason.unicodeScalars {
            let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            guard payload.count + bytes.count <= WebSocketFrameHeader.maximumControlPayload else { break }
            payload.append(contentsOf: bytes)
        }
        return frame(.close, payload, mask)
    }

    private static func frame(_ opcode: WebSocketOpcode, _ payload: some Collection<UInt8>, _ mask: UInt32?) -> [UInt8]
    {
        let length = payload.count
        var output: [UInt8] = []
        output.reserveCapacity(length + 14)
        output.append(0x80 | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch length {
        case ...125: output.append(maskBit | UInt8(length))
        case ...0xFFFF:
            output.append(maskBit | 126)
            append(UInt64(length), bytes: 2, to: &output)
        default:
            output.append(maskBit | 127)
            append(UInt64(length), bytes: 8, to: &output)
        }
        if let mask { append(UInt64(mask), bytes: 4, to: &output) }
        let start = output.count
        output.append(contentsOf: payload)
        applyMask(mask, to: &output, from: start, phase: 0)
        return output
    }

    private static func append(_ value: UInt64, bytes count: Int, to output: inout [UInt8]) {
        for place in (0..<count).reversed() { output.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
    }

    /// Masks or unmasks the bytes from `start` on. `phase` is the position of the first of them in the payload.
    static func applyMask(_ mask: UInt32?, to bytes: inout [UInt8], from start: Int, phase: Int) {
        guard let mask else { return }
        let shift = UInt32(phase & 3) * 8
        var key = mask << shift | mask >> (32 - shift)
        for index in start..<bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: key >> 24)
            key = key << 8 | key >> 24
        }
    }
}
