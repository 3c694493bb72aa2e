/// A version of Claude Code, such as 2.1.330.
package struct ClaudeVersion: Sendable, Comparable, CustomStringConvertible {
    private let numbers: [Int]

    /// The lowest with which run sessions were tested.
    package static let lowest = ClaudeVersion(numbers: [2, 1, 283])

    private init(numbers: [Int]) {
        self.numbers = numbers
    }

    /// - Parameter text: what `claude --version` prints, such as `2.1.330 (Claude Code)`.
    package init?(printed text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count >= 3, words[1] == "(Claude", words[2] == "Code)" else { return nil }
        let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.prefix(3).compactMap { part in Int(part.prefix { $0.isASCII && $0.isNumber }) }
        guard parts.count >= 3, numbers.count == 3 else { return nil }
        self.numbers = numbers
    }

    package static func < (left: ClaudeVersion, right: ClaudeVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }
}
