// Swift compares strings as canonically equivalent, and for that sorts the marks on a letter, which takes a time that
// grows with the square of their number: for some ten thousand, seconds.

extension JSON {
    /// True if a letter in a text or key has more than `String.mostMarks` marks.
    package var hasManyMarks: Bool {
        switch self {
        case .string(let text): text.hasManyMarks
        case .array(let elements): elements.contains(where: \.hasManyMarks)
        case .object(let object): object.contains { $0.hasManyMarks || $1.hasManyMarks }
        default: false
        }
    }

    /// The same value with at most `String.mostMarks` marks on each letter, in keys too.
    package func cuttingMarks() -> JSON {
        guard hasManyMarks else { return self }
        return switch self {
        case .string(let text): .string(text.cuttingMarks())
        case .array(let elements): .array(elements.map { $0.cuttingMarks() })
        case .object(let object): .object(JSONObject(object.map { ($0.cuttingMarks(), $1.cuttingMarks()) }))
        default: self
        }
    }
}

extension String {
    /// Marks in a row; the Stream-Safe Text Format (UAX #15) has 30.
    package static let mostMarks = 32

    /// True if more than `mostMarks` marks stand in a row.
    package var hasManyMarks: Bool {
        // The first mark, U+0300, begins with this byte.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var row = MarkRow()
        return !unicodeScalars.allSatisfy { row.keeps($0) }
    }

    /// The same text without the marks beyond `mostMarks` in a row.
    package func cuttingMarks() -> String {
        guard hasManyMarks else { return self }
        var row = MarkRow()
        return String(String.UnicodeScalarView(unicodeScalars.filter { row.keeps($0) }))
    }
}

/// Counts marks in a row.
private struct MarkRow {
    private var count = 0

    mutating func keeps(_ scalar: Unicode.Scalar) -> Bool {
        count = scalar.isReordered ? count + 1 : 0
        return count <= String.mostMarks
    }
}

extension Unicode.Scalar {
    /// True for a mark that is sorted among others.
    fileprivate var isReordered: Bool {
        switch value {
        // Most texts beyond Latin letters are of these, and looking up a property takes 30 ns.
        case ..<0x0300, 0x3400..<0xA000, 0xAC00..<0xD7A4: false
        default: properties.canonicalCombiningClass != .notReordered
        }
    }
}
