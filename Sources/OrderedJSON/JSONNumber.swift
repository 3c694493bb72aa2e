/// A JSON number as it was spelled: `1.0`, `1e5`, `-0` and integers of any length are written as they were read.
package struct JSONNumber: Sendable, Hashable {
    /// Always valid by RFC 8259, section 6.
    package let spelling: String

    package init(_ value: Int) {
        spelling = String(value)
    }

    /// The shortest spelling that reads back as the same value; nil for infinities and NaN, which JSON cannot write.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        spelling = "\(value)"
    }

    /// Nil if RFC 8259, section 6 does not allow the spelling.
    package init?(spelling: String) {
        var scanner = JSONScanner(Array(spelling.utf8), depth: 0)
        guard (try? scanner.number()) != nil, scanner.isAtEnd else { return nil }
        self.spelling = spelling
    }

    /// - Parameter spelling: checked by the scanner; not checked again.
    init(checked spelling: String) {
        self.spelling = spelling
    }

    /// Nil unless the number is spelled as an integer (`1.0` and `1e5` are not) and fits.
    package var intValue: Int? {
        Int(spelling)
    }

    /// Nil beyond the range of a double (`1e999`).
    package var doubleValue: Double? {
        Double(spelling).flatMap { $0.isFinite ? $0 : nil }
    }
}
