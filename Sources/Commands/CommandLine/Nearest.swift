/// The word that a person probably meant.
package enum Nearest {
    /// The word with the fewest typing errors against `typed`; `nil` if all have more than two, or more than a third of
    /// its letters.
    package static func word(_ typed: String, among words: [String]) -> String? {
        let most = min(2, max(1, typed.count / 3))
        let found = words.map { (word: $0, errors: distance(Array(typed), Array($0))) }
        let near = found.filter { $0.errors <= most }.min { $0.errors < $1.errors }
        return near?.word ?? words.first { typed.count >= 3 && $0.hasPrefix(typed) }
    }

    /// Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            (before, last) = (last, next)
        }
        return last[right.count]
    }
}
