import OrderedJSON
import Wire

enum WebSocketProbe {
    /// Each event with the frame that says the same in the other direction.
    static func events(_ pieces: [ArraySlice<UInt8>], role: WebSocketRole) -> JSON {
        var decoder = WebSocketDecoder(role: role, limits: WebSocketLimits(frame: 1 << 20, message: 1 << 20))
        var events: [JSON] = []
        for piece in pieces {
            decoder.receive(piece)
            while let event = decoder.next() {
                events.append(describe(event, mask: role == .client ? 0xA1B2_C3D4 : nil))
            }
        }
        return ["events": .array(events)]
    }

    private static func describe(_ event: WebSocketEvent, mask: UInt32?) -> JSON {
        switch event {
        case .text(let text): describe("text", text.utf8, WebSocketFrame.text(text, mask: mask))
        case .binary(let bytes): describe("binary", bytes, WebSocketFrame.binary(bytes, mask: mask))
        case .ping(let bytes): describe("ping", bytes, WebSocketFrame.ping(bytes, mask: mask))
        case .pong(let bytes): describe("pong", bytes, WebSocketFrame.pong(bytes, mask: mask))
        case .close(let code, let reason):
            [
                "type": "close", "code": code.map { .number(JSONNumber(Int($0))) } ?? .null, "data": hex(reason.utf8),
                "frame": hex(WebSocketFrame.close(code: code, reason: reason, mask: mask)),
            ]
        case .failure(let code, let message):
            ["type": "failure", "code": .number(JSONNumber(Int(code))), "message": .string(message)]
        }
    }

    private static func describe(_ type: String, _ bytes: some Sequence<UInt8>, _ frame: [UInt8]) -> JSON {
        ["type": .string(type), "data": hex(bytes), "frame": hex(frame)]
    }
}
