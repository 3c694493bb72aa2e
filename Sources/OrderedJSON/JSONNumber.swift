/// A JSON number as it was spelled: `1.0`, `1e5`, `-0` and integers of any length come out as they went in.
package struct JSONNumber: Sendable, Hashable {
    /// What RFC 8259, section 6 allows, and nothing else.
    package let spelling: String

    package init(_ value: Int) {
        spelling = String(value)
    }

    /// The shortest spelling that reads back as the same value; nil for infinities and NaN, which JSON cannot write.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        spelling = "\(value)"
    }

    /// Nil when RFC 8259, section 6 does not allow the spelling.
    package init?(spelling: String) {
        var scanner = JSONScanner(Array(spelling.utf8), depth: 0)
        guard (try? scanner.number()) != nil, scanner.isAtEnd else { return nil }
        self.spelling = spelling
    }

    /// The scanner has checked the spelling.
    init(checked spelling: String) {
        self.spelling = spelling
    }

    /// Nil unless spelled as an integer (`1.0` and `1e5` are not) that fits.
    package var intValue: Int? {
        Int(spelling)
    }

    /// Nil beyond the range of a double (`1e999`).
    package var doubleValue: Double? {
        Double(spelling).flatMap { $0.isFinite ? $0 : nil }
    }
}
