// Swift compares strings as canonically equivalent, and for that sorts the marks on a letter, which takes a time that
// grows with the square of their number: for some ten thousand, seconds.

extension JSON {
    /// The same value with at most `String.mostMarks` marks on each letter, in keys too; nil where no letter has more.
    package func cuttingMarks() -> JSON? {
        switch self {
        case .string(let text): text.cuttingMarks().map(JSON.string)
        case .array(let elements): Self.cut(elements).map(JSON.array)
        case .object(let object): Self.cut(object).map(JSON.object)
        default: nil
        }
    }

    private static func cut(_ elements: [JSON]) -> [JSON]? {
        var cut: [JSON]?
        for (index, element) in elements.enumerated() {
            guard let shorter = element.cuttingMarks() else { continue }
            cut = cut ?? elements
            cut?[index] = shorter
        }
        return cut
    }

    private static func cut(_ object: JSONObject) -> JSONObject? {
        var isCut = false
        let members = object.map { key, value in
            let (shortKey, shortValue) = (key.cuttingMarks(), value.cuttingMarks())
            isCut = isCut || shortKey != nil || shortValue != nil
            return (shortKey ?? key, shortValue ?? value)
        }
        return isCut ? JSONObject(members) : nil
    }
}

extension String {
    /// Marks in a row; the Stream-Safe Text Format (UAX #15) has 30.
    package static let mostMarks = 32

    /// The same text without the marks beyond `mostMarks` in a row; nil where there are none.
    package func cuttingMarks() -> String? {
        // The first mark, U+0300, begins with this byte.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return nil }
        var row = 0
        func isKept(_ scalar: Unicode.Scalar) -> Bool {
            row = scalar.isReordered ? row + 1 : 0
            return row <= Self.mostMarks
        }
        guard !unicodeScalars.allSatisfy(isKept) else { return nil }
        row = 0
        return String(String.UnicodeScalarView(unicodeScalars.filter(isKept)))
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
