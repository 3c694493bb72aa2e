/// The steps from one text to another: each line of both, kept, removed or added.
struct LineSteps {
    struct Step {
        let operation: LineDiff.Operation
        /// The number of lines of the old and of the new text before it.
        let old: Int
        let new: Int
    }

    private(set) var all: [Step] = []
    private let old: [ArraySlice<UInt8>]
    private let new: [ArraySlice<UInt8>]

    init(from oldText: [UInt8], to newText: [UInt8]) {
        old = Self.lines(oldText)
        new = Self.lines(newText)
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        let left = Self.numbered(old, &numbers)
        let right = Self.numbered(new, &numbers)
        var changes = LineChanges(from: left, to: right, kinds: numbers.count)
        changes.find()
        compose(changes)
    }

    func bytes(of step: Step) -> ArraySlice<UInt8> {
        step.operation == .added ? new[step.new] : old[step.old]
    }

    /// The lines of the text, each with its line feed.
    private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.count
            lines.append(text[start..<end])
            start = end
        }
        return lines
    }

    /// Numbers the lines; equal lines get equal numbers, which are faster to compare.
    private static func numbered(_ lines: [ArraySlice<UInt8>], _ numbers: inout [ArraySlice<UInt8>: Int]) -> [Int] {
        lines.map { line in
            if let number = numbers[line] { return number }
            numbers[line] = numbers.count
            return numbers.count - 1
        }
    }

    private mutating func compose(_ changes: LineChanges) {
        var left = 0
        var right = 0
        while left < old.count || right < new.count {
            if left < old.count, changes.removed[left] {
                all.append(Step(operation: .removed, old: left, new: right))
                left += 1
            } else if right < new.count, changes.added[right] {
                all.append(Step(operation: .added, old: left, new: right))
                right += 1
            } else {
                all.append(Step(operation: .kept, old: left, new: right))
                left += 1
                right += 1
            }
        }
    }
}
