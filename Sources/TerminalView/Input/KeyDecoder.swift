import Text

/// Decodes the bytes of a terminal in raw mode to keys. Keeps an incomplete sequence; `flush` decides on an Escape that
/// no byte followed.
package struct KeyDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var pasted: [UInt8]?

    /// The most bytes of a paste, which is cut there, and of a sequence, which is dropped.
    private static let longestPaste = 1 << 20
    private static let longestSequence = 64
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    package init() {}

    /// True while an incomplete sequence is kept.
    package var isPending: Bool { !buffer.isEmpty && pasted == nil }

    package mutating func receive(_ bytes: some Sequence<UInt8>) -> [Key] {
        buffer += bytes
        var keys: [Key] = []
        while let key = next() { keys.append(key) }
        return keys
    }

    /// To be called when nothing came for a while: a single Escape was the key, and an incomplete sequence is dropped.
    package mutating func flush() -> [Key] {
        guard isPending else { return [] }
        let key: Key = buffer == [0x1B] ? .escape : .unknown
        buffer = []
        return [key]
    }

    private mutating func next() -> Key? {
        if pasted != nil { return paste() }
        guard let first = buffer.first else { return nil }
        if first == 0x1B { return sequence() }
        if first < 0x20 || first == 0x7F {
            buffer.removeFirst()
            return Self.control(first)
        }
        return character()
    }

    private static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        // Ctrl-J is a line feed; Return sends a carriage return.
        case 0x0D: .enter
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        default: .unknown
        }
    }

    /// One scalar of UTF-8; `nil` while it is incomplete. Combining marks may come with a later read, so they are keys
    /// of their own.
    private mutating func character() -> Key? {
        let length = Self.length(of: buffer[0])
        guard buffer.count >= length else { return nil }
        let text = String(decoding: buffer.prefix(length), as: UTF8.self)
        buffer.removeFirst(length)
        guard let character = text.first, text.count == 1, character != "\u{FFFD}" else { return .unknown }
        return .character(character)
    }

    private static func length(of first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private mutating func sequence() -> Key? {
        guard buffer.count > 1 else { return nil }
        switch buffer[1] {
        case UInt8(ascii: "["): return controlSequence()
        case UInt8(ascii: "O"):
            guard buffer.count > 2 else { return nil }
            return take(3, as: Self.cursor[buffer[2]] ?? .unknown)
        // Two Escapes in a row: the first was the key.
        case 0x1B: return take(1, as: .escape)
        case 0x20..<0x7F: return take(2, as: .alt(Character(Unicode.Scalar(buffer[1]))))
        default: return take(2, as: .unknown)
        }
    }

    private mutating func take(_ count: Int, as key: Key) -> Key {
        buffer.removeFirst(count)
        return key
    }

    /// ECMA-48 section 5.4: parameters, intermediates, one final byte.
    private mutating func controlSequence() -> Key? {
        let body = buffer.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            return buffer.count > Self.longestSequence ? take(buffer.count, as: .unknown) : nil
        }
        let parameters = String(decoding: buffer[2..<end], as: UTF8.self)
        let final = buffer[end]
        // Linux's console sends `ESC [ [ A` for F1.
        let count = final == UInt8(ascii: "[") ? end + 2 : end + 1
        guard buffer.count >= count else { return nil }
        buffer.removeFirst(count)
        if final == UInt8(ascii: "~"), parameters == "200" {
            pasted = []
            return next()
        }
        return Self.key(parameters, final)
    }

    private static func key(_ parameters: String, _ final: UInt8) -> Key {
        // Parameters before a letter are modifiers: Ctrl-Up is not Up.
        if parameters.isEmpty || parameters == "1", let key = cursor[final] { return key }
        guard final == UInt8(ascii: "~") else { return .unknown }
        let numbers: [String: Key] = [
            "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
        ]
        return numbers[parameters] ?? .unknown
    }

    private static let cursor: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home, UInt8(ascii: "Z"): .backTab,
    ]

    private mutating func paste() -> Key? {
        if let end = buffer.firstPlace(of: Self.pasteEnd) {
            let text = String(decoding: (pasted ?? []) + buffer[..<end.lowerBound], as: UTF8.self)
            buffer.removeSubrange(..<end.upperBound)
            pasted = nil
            return .paste(text)
        }
        // The end marker may be incomplete: the bytes that may begin it are kept.
        let kept = min(buffer.count, Self.pasteEnd.count - 1)
        let room = Self.longestPaste - (pasted?.count ?? 0)
        pasted?.append(contentsOf: buffer.dropLast(kept).prefix(max(0, room)))
        buffer.removeFirst(buffer.count - kept)
        return nil
    }
}
