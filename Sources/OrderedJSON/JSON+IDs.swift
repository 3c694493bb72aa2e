/// Ids as texts. The text of an id is its string, in which half a surrogate pair is escaped by a mark, so that
/// different ids have different texts. The mark is U+10FFFF, which is no character; a mark in the id itself is doubled.
extension JSON {
    /// The text of an id; nil where this value is not a string. Use it only to compare, to store, and for `id(_:)`.
    package var idValue: String? {
        switch self {
        case .string(let text): Self.marked(text)
        case .unpaired(let text):
            text.pieces.reduce(into: "") { id, piece in
                switch piece {
                case .text(let text): id += Self.marked(text)
                case .half(let unit): id.unicodeScalars.append(contentsOf: [Self.mark, Self.scalar(of: unit)])
                }
            }
        default: nil
        }
    }

    /// The inverse of `idValue`.
    package static func id(_ text: String) -> JSON {
        guard hasMark(text) else { return .string(text) }
        var units: [UInt16] = []
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            let meant = scalar == mark ? scalars.next() ?? mark : scalar
            if scalar == mark, let half = half(of: meant) {
                units.append(half)
            } else {
                units.append(contentsOf: String(Character(meant)).utf16)
            }
        }
        return UnpairedText(units).map(JSON.unpaired) ?? .string(String(decoding: units, as: UTF16.self))
    }

    /// The inverse of `idValue`; `null` for nil.
    package static func id(_ text: String?) -> JSON {
        text.map { .id($0) } ?? .null
    }

    private static let mark: Unicode.Scalar = "\u{10FFFF}"

    private static func marked(_ text: String) -> String {
        guard hasMark(text) else { return text }
        return text.unicodeScalars.reduce(into: "") { marked, scalar in
            if scalar == mark { marked.unicodeScalars.append(mark) }
            marked.unicodeScalars.append(scalar)
        }
    }

    /// True if the text may contain the mark. Looks for the mark's first byte only, which hardly any id contains.
    private static func hasMark(_ text: String) -> Bool {
        text.utf8.contains(0xF4)
    }

    /// The 2,048 halves are written as U+E000 to U+E7FF.
    private static func scalar(of half: UInt16) -> Unicode.Scalar {
        Unicode.Scalar(half - 0xD800 + 0xE000) ?? mark
    }

    private static func half(of scalar: Unicode.Scalar) -> UInt16? {
        (0xE000...0xE7FF).contains(scalar.value) ? UInt16(scalar.value - 0xE000 + 0xD800) : nil
    }
}
