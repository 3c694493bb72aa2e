/// The difference of two texts by lines: removed and added lines with a few lines of context. Lines are compared byte
/// for byte.
package struct LineDiff: Sendable, Hashable {
    package enum Operation: String, Sendable, Hashable {
        case added = "+"
        case kept = " "
        case removed = "-"
    }

    package struct Line: Sendable, Hashable {
        package let operation: Operation
        /// The line without its line feed.
        package let text: String
        /// False for a last line without a line feed.
        package let isTerminated: Bool

        package init(_ operation: Operation, _ text: String, isTerminated: Bool = true) {
            self.operation = operation
            self.text = text
            self.isTerminated = isTerminated
        }
    }

    package struct Hunk: Sendable, Hashable {
        /// The number of the first line, from 1, in the old and the new text.
        package let oldStart: Int
        package let newStart: Int
        package var lines: [Line]

        package init(oldStart: Int, newStart: Int, lines: [Line]) {
            self.oldStart = oldStart
            self.newStart = newStart
            self.lines = lines
        }
    }

    package private(set) var hunks: [Hunk] = []
    /// The numbers of lines in the whole difference.
    package private(set) var added = 0
    package private(set) var removed = 0
    /// The number of lines left out of the hunks, because there are too many to show.
    package private(set) var more = 0

    private static let context = 3

    /// - Parameter limit: Bytes of text in the hunks.
    package init(from old: [UInt8], to new: [UInt8], limit: Int) {
        let steps = LineSteps(from: old, to: new)
        added = steps.all.count { $0.operation == .added }
        removed = steps.all.count { $0.operation == .removed }
        fill(steps, limit: limit)
    }

    /// A difference that somebody else made.
    package init(hunks: [Hunk]) {
        self.hunks = hunks
        added = hunks.reduce(0) { $0 + $1.lines.count { $0.operation == .added } }
        removed = hunks.reduce(0) { $0 + $1.lines.count { $0.operation == .removed } }
    }

    /// The whole text of a file that was not there before.
    package init(newFile text: String) {
        let lines = Self.lines(from: "", to: text)
        self.init(hunks: lines.isEmpty ? [] : [Hunk(oldStart: 0, newStart: 1, lines: lines)])
    }

    /// All lines of both texts, unchanged ones included.
    ///
    /// If both texts end within a line, as parts of a file do, their last lines count as whole ones.
    package static func lines(from old: String, to new: String) -> [Line] {
        let endWithin = [old, new].allSatisfy { $0.utf8.last.map { $0 != 0x0A } ?? false }
        let end: [UInt8] = endWithin ? [0x0A] : []
        let steps = LineSteps(from: Array(old.utf8) + end, to: Array(new.utf8) + end)
        return steps.all.map { Line($0.operation, steps.bytes(of: $0)) }
    }

    private mutating func fill(_ steps: LineSteps, limit: Int) {
        var room = limit
        for range in Self.ranges(steps.all) {
            guard let first = range.first, room > 0 else {
                more += range.count
                continue
            }
            var hunk = Hunk(oldStart: steps.all[first].old + 1, newStart: steps.all[first].new + 1, lines: [])
            for step in steps.all[range] {
                let bytes = steps.bytes(of: step)
                room -= bytes.count
                // A single line that is too long stays; the code that shows it cuts it.
                guard room >= 0 || hunk.lines.isEmpty else {
                    more += 1
                    continue
                }
                hunk.lines.append(Line(step.operation, bytes))
            }
            hunks.append(hunk)
        }
    }

    /// Changes with their context; those whose contexts touch are joined.
    private static func ranges(_ steps: [LineSteps.Step]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in steps.indices where steps[index].operation != .kept {
            let start = max(0, index - context)
            let end = min(steps.count, index + context + 1)
            if let last = ranges.last, start <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else {
                ranges.append(start..<end)
            }
        }
        return ranges
    }
}

/// A change that was made in a file.
package struct FileDifference: Sendable, Hashable {
    /// As the agent wrote it.
    package let path: String
    package let lines: LineDiff

    package init(path: String, lines: LineDiff) {
        self.path = path
        self.lines = lines
    }

    /// The approximate bytes of its texts.
    var size: Int {
        lines.hunks.reduce(path.utf8.count) { sum, hunk in hunk.lines.reduce(sum) { $0 + 8 + $1.text.utf8.count } }
    }
}

extension LineDiff.Line {
    fileprivate init(_ operation: LineDiff.Operation, _ bytes: ArraySlice<UInt8>) {
        let isTerminated = bytes.last == 0x0A
        self.init(
            operation, String(decoding: isTerminated ? bytes.dropLast() : bytes, as: UTF8.self),
            isTerminated: isTerminated)
    }
}
