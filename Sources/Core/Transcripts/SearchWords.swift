import Text

/// The words of a search, as the index of transcripts has them and as a person typed them.
package struct SearchWords: Sendable, Hashable {
    /// In the order typed, ASCII letters in lower case.
    private let typed: [[UInt8]]
    /// A query for SQLite's FTS5 that finds every text with all words; `nil` if there is no word. A word of the index is
    /// a run of letters and digits, so a typed one may consist of several, in any order: `snippet` tells.
    package let match: String?

    /// More are not searched for.
    private static let mostWords = 16
    /// Letters from which the last part of a word may go on in the text: shorter beginnings have too many hits.
    private static let shortestBeginning = 3

    package init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).prefix(Self.mostWords)
        typed = words.map { Self.folded($0.utf8) }
        let parts = words.flatMap(Self.parts)
        match = parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    private static func parts(_ word: Substring) -> [String] {
        let runs = word.unicodeScalars.split { !isOfWord($0) }
        return runs.enumerated().map { index, run in
            let isBeginning = index == runs.count - 1 && run.count >= shortestBeginning
            return "\"\(String(String.UnicodeScalarView(run)))\"" + (isBeginning ? "*" : "")
        }
    }

    /// True for the characters that make words for FTS5's tokenizer `unicode61`: letters, digits, and the accents on them.
    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark:
            return true
        default: return false
        }
    }

    private static func folded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// The text around the first word; `nil` if the text does not hold all words as they were typed. Letters of ASCII match
    /// either case; a word with others is believed to be there.
    package func snippet(of text: String) -> String? {
        let bytes = Self.folded(text.utf8)
        var first: Int?
        for word in typed {
            if let place = bytes.firstPlace(of: word) {
                first = min(first ?? place.lowerBound, place.lowerBound)
            } else if word.allSatisfy({ $0 < 0x80 }) {
                return nil
            }
        }
        return Self.cut(Array(text.utf8), around: first ?? 0)
    }

    /// Bytes before and after the beginning of the word.
    private static let before = 60
    private static let after = 180

    private static func cut(_ bytes: [UInt8], around place: Int) -> String {
        var (start, end) = (max(0, place - before), min(bytes.count, place + after))
        // Not in the middle of a character.
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        let words = String(decoding: bytes[start..<end], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return (start > 0 ? "…" : "") + words.joined(separator: " ") + (end < bytes.count ? "…" : "")
    }
}
