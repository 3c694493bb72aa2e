/// Splits bytes into lines. Of a line longer than the limit, the first `limit` bytes are returned, marked as cut, and
/// the rest is dropped.
package struct LineBuffer {
    package struct Line: Hashable, Sendable {
        /// Without the line feed.
        package let bytes: [UInt8]
        package let isCut: Bool

        package init(bytes: [UInt8], isCut: Bool) {
            self.bytes = bytes
            self.isCut = isCut
        }
    }

    private let limit: Int
    private var rest: [UInt8] = []
    /// True if the rest of the current line is dropped, because its first `limit` bytes were returned already.
    private var isDropping = false

    /// - Parameter limit: The longest line in bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes more bytes and returns the lines that they complete or exceed the limit with.
    package mutating func append(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        var left = bytes[...]
        while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
            add(left[..<end], to: &lines)
            if !isDropping { lines.append(Line(bytes: rest, isCut: false)) }
            rest = []
            isDropping = false
            left = left[left.index(after: end)...]
        }
        add(left, to: &lines)
        return lines
    }

    /// Returns the last line if no line feed ended it; nil where there is none.
    package mutating func finish() -> Line? {
        defer { rest = [] }
        return rest.isEmpty || isDropping ? nil : Line(bytes: rest, isCut: false)
    }

    private mutating func add(_ bytes: some Collection<UInt8>, to lines: inout [Line]) {
        guard !isDropping else { return }
        rest += bytes.prefix(limit + 1 - min(limit + 1, rest.count))
        guard rest.count > limit else { return }
        lines.append(Line(bytes: Array(rest.prefix(limit)), isCut: true))
        rest = []
        isDropping = true
    }
}
