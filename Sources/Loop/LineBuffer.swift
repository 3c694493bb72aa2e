/// Cuts bytes into lines. A line over the limit is given up to it, marked as cut, and the rest of it is dropped.
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
    /// The line's beginning was given already.
    private var isDropping = false

    /// - Parameter limit: Bytes of a line.
    package init(limit: Int) {
        self.limit = limit
    }

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

    /// The last line where no line feed ended it; nil where there is none.
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
