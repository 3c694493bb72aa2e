/// Ids as texts. The text of an id is its string, in which everything outside ASCII is escaped by a mark, half a
/// surrogate pair too. Different ids then have different texts, although `==` equates canonically equivalent strings:
/// no two escaped texts are equivalent. The mark is U+10FFFF, which is no character; a mark in the id itself is doubled.
extension JSON {
    /// The text of an id; nil where this value is not a string. Use it only to compare, to store, and for `id(_:)`.
    package var idValue: String? {
        switch self {
        case .string(let text): Self.marked(text)
        case .unpaired(let text):
            text.pieces.map { piece in
                switch piece {
                case .text(let text): Self.marked(text)
                case .half(let unit): String(String.UnicodeScalarView([Self.mark, Self.scalar(of: unit)]))
                }
            }.joined()
        default: nil
        }
    }

    /// The inverse of `idValue`.
    package static func id(_ text: String) -> JSON {
        guard hasMark(text) else { return .string(text) }
        var units: [UInt16] = []
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == mark else {
                units.append(contentsOf: UTF16.encode(scalar) ?? .init())
                continue
            }
            let next = scalars.next() ?? mark
            if let half = half(of: next) {
                units.append(half)
            } else {
                let meant = whole(next, &scalars) ?? next
                units.append(contentsOf: UTF16.encode(meant) ?? .init())
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
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        // As bytes: appended to a string, each scalar costs a walk over those before it.
        var marked: [UInt8] = []
        for scalar in text.unicodeScalars {
            if !scalar.isASCII { marked += markBytes }
            for part in scalar.isASCII || scalar == mark ? [scalar] : escaped(scalar) {
                marked.append(contentsOf: UTF8.encode(part) ?? .init())
            }
        }
        return String(decoding: marked, as: UTF8.self)
    }

    private static let markBytes = Array(String(mark).utf8)

    /// True if the text may contain the mark. Looks for the mark's first byte only, which hardly any id contains.
    private static func hasMark(_ text: String) -> Bool {
        text.utf8.contains(0xF4)
    }

    /// A scalar is written as two of a private use area, which are equivalent to nothing else: its upper bits added to
    /// U+F0000, its lower 11 bits added to U+F1000.
    private static func escaped(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        [0xF0000 + scalar.value >> 11, 0xF1000 + scalar.value & 0x7FF].compactMap(Unicode.Scalar.init)
    }

    /// The inverse of `escaped`; nil where `upper` is not the first of such two, and then nothing is read.
    private static func whole(
        _ upper: Unicode.Scalar, _ rest: inout String.UnicodeScalarView.Iterator
    ) -> Unicode.Scalar? {
        guard (0xF0000...0xF0FFF).contains(upper.value), let lower = rest.next() else { return nil }
        return Unicode.Scalar((upper.value - 0xF0000) << 11 | lower.value & 0x7FF)
    }

    /// The 2,048 halves are written as U+E000 to U+E7FF.
    private static func scalar(of half: UInt16) -> Unicode.Scalar {
        Unicode.Scalar(half - 0xD800 + 0xE000) ?? mark
    }

    private static func half(of scalar: Unicode.Scalar) -> UInt16? {
        (0xE000...0xE7FF).contains(scalar.value) ? UInt16(scalar.value - 0xE000 + 0xD800) : nil
    }
}
