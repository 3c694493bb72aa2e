import Wire

extension WebSocketDecoder: Codec {}

/// Frames made by hand, valid or not, with the events that a server's decoder returns for them.
enum WebSocketCorpus {
    static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    /// One masked frame: `first` holds FIN, reserved bits and opcode.
    static func frame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        var bytes = [first]
        switch payload.count {
        case ...125: bytes.append(0x80 | UInt8(payload.count))
        case ...0xFFFF: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [0x80 | 127] + (0..<8).reversed().map { UInt8(payload.count >> (8 * $0) & 0xFF) }
        }
        return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
    }

    static func frame(_ first: UInt8, _ text: String) -> [UInt8] { frame(first, Array(text.utf8)) }

    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }

    struct Case: Sendable {
        let name: String
        let bytes: [UInt8]
        let events: [WebSocketEvent]

        init(_ name: String, _ frames: [[UInt8]], _ events: [WebSocketEvent]) {
            self.name = name
            bytes = Array(frames.joined())
            self.events = events
        }
    }

    static let accepted = [
        Case("text", [frame(0x81, "Grüße 👋")], [.text("Grüße 👋")]),
        Case("empty text, empty binary", [frame(0x81), frame(0x82)], [.text(""), .binary([])]),
        Case(
            "126 bytes", [frame(0x82, [UInt8](repeating: 7, count: 126))], [.binary([UInt8](repeating: 7, count: 126))]),
        Case(
            "fragments, one empty", [frame(0x01, "a"), frame(0x00), frame(0x00, "b"), frame(0x80, "c")], [.text("abc")]),
        Case("all fragments empty", [frame(0x02), frame(0x00), frame(0x80)], [.binary([])]),
        Case(
            "control frames between fragments",
            [frame(0x01, "a"), frame(0x89, "p"), frame(0x8A), frame(0x80, "b"), frame(0x82, [1])],
            [.ping(Array("p".utf8)), .pong([]), .text("ab"), .binary([1])]),
        Case(
            "character over fragments",
            [frame(0x01, [0xF0]), frame(0x00, [0x9F, 0x91]), frame(0x89), frame(0x80, [0x8B])],
            [.ping([]), .text("👋")]),
        Case("binary is not checked", [frame(0x82, [0xFF, 0xC0])], [.binary([0xFF, 0xC0])]),
        Case(
            "largest ping", [frame(0x89, [UInt8](repeating: 1, count: 125))], [.ping([UInt8](repeating: 1, count: 125))]
        ),
        Case("close without code", [frame(0x88), frame(0x81, "late")], [.close(code: nil, reason: "")]),
        Case(
            "close inside a message", [frame(0x01, "a"), close(1001, Array("Tschüß".utf8)), frame(0x80)],
            [.close(code: 1001, reason: "Tschüß")]),
        Case(
            "longest close", [close(1000, [UInt8](repeating: 0x61, count: 123))],
            [.close(code: 1000, reason: String(repeating: "a", count: 123))]),
    ]

    /// Frames that a server refuses, with the close code. No event may come before the failure.
    static let refused: [(name: String, bytes: [UInt8], code: UInt16)] = [
        ("unmasked", [0x81, 0x01, 0x61], 1002),
        ("unmasked control", [0x89, 0x00], 1002),
        ("reserved bit 1", frame(0xC1, "a"), 1002),
        ("reserved bit 2", frame(0xA1, "a"), 1002),
        ("reserved bit 3", frame(0x91, "a"), 1002),
        ("continuation of nothing", frame(0x80, "a"), 1002),
        ("unfinished continuation of nothing", frame(0x00, "a"), 1002),
        ("text inside text", frame(0x01, "a") + frame(0x81, "b"), 1002),
        ("binary inside text", frame(0x01, "a") + frame(0x02, "b"), 1002),
        ("fragmented ping", frame(0x09, "a"), 1002),
        ("fragmented close", frame(0x08), 1002),
        ("ping of 126 bytes", frame(0x89, [UInt8](repeating: 1, count: 126)), 1002),
        ("close of 126 bytes", close(1000, [UInt8](repeating: 0x61, count: 124)), 1002),
        ("close with half a code", frame(0x88, [3]), 1002),
        ("close reason not UTF-8", close(1000, [0xC3]), 1007),
        ("length 5 in two bytes", [0x82, 0xFE, 0, 5] + mask, 1002),
        ("length 125 in two bytes", [0x82, 0xFE, 0, 125] + mask, 1002),
        ("length 65535 in eight bytes", [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + mask, 1002),
        ("length 2^63", [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0] + mask, 1002),
        ("length 2^62", [0x82, 0xFF, 0x40, 0, 0, 0, 0, 0, 0, 0] + mask, 1009),
        ("text ends inside a character", frame(0x81, [0x61, 0xE2, 0x82]), 1007),
        ("fragments end inside a character", frame(0x01, [0xE2]) + frame(0x80, [0x82]), 1007),
    ]

    static let invalidUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x28], [0xE2, 0x82, 0x28], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0xF0, 0x9F, 0x91, 0x28], [0xF0, 0x9F, 0x91, 0x8B, 0x80],
    ]

    static let palette: [[UInt8]] = [
        frame(0x81, "x"), frame(0x01, "é"), frame(0x80, "z"), frame(0x89), frame(0x88), close(1000), [0x81, 0x00],
        [0xFF], [0x7E], [0x00], [0x80, 0x80], [0xC3], mask,
    ]
}
