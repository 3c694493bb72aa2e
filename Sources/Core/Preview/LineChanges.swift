/// Finds the lines that are removed and added. Lines are numbers here: equal lines have equal numbers.
///
/// Each part is first trimmed by its common first and last lines. A part that is still large is divided at lines that
/// occur once on both sides, as patience diff does, because the search for a shortest difference takes quadratic time
/// and must get small parts only. A large part without such lines counts as changed as a whole.
struct LineChanges {
    private(set) var removed: [Bool]
    private(set) var added: [Bool]
    private let left: [Int]
    private let right: [Int]
    /// The number of occurrences of each line in the current part; all 0 between parts.
    private var counts: [(left: Int, right: Int, rightPlace: Int)]

    /// The most lines of a part, both sides together, for which a shortest difference is searched.
    private static let work = 1000

    private struct Part {
        var old: Range<Int>
        var new: Range<Int>

        var isOneSided: Bool { old.isEmpty || new.isEmpty }
    }

    init(from left: [Int], to right: [Int], kinds: Int) {
        self.left = left
        self.right = right
        removed = Array(repeating: false, count: left.count)
        added = Array(repeating: false, count: right.count)
        counts = Array(repeating: (0, 0, 0), count: kinds)
    }

    mutating func find() {
        var open = [Part(old: left.indices, new: right.indices)]
        while let part = open.popLast().map(trimmed) {
            if part.isOneSided {
                replace(part)
            } else if part.old.count + part.new.count <= Self.work {
                search(part)
            } else {
                let parts = divided(part)
                if parts.count == 1 { searchShared(part) } else { open += parts }
            }
        }
    }

    private func trimmed(_ part: Part) -> Part {
        var part = part
        while !part.isOneSided, left[part.old.lowerBound] == right[part.new.lowerBound] {
            part.old.removeFirst()
            part.new.removeFirst()
        }
        while !part.isOneSided, left[part.old.upperBound - 1] == right[part.new.upperBound - 1] {
            part.old.removeLast()
            part.new.removeLast()
        }
        return part
    }

    private mutating func replace(_ part: Part) {
        for index in part.old { removed[index] = true }
        for index in part.new { added[index] = true }
    }

    private mutating func search(_ part: Part) {
        for change in right[part.new].difference(from: left[part.old]) {
            switch change {
            case .insert(let offset, _, _): added[part.new.lowerBound + offset] = true
            case .remove(let offset, _, _): removed[part.old.lowerBound + offset] = true
            }
        }
    }

    /// Marks lines that occur on one side only as changed, and searches the rest if it is small.
    private mutating func searchShared(_ part: Part) {
        count(part, by: 1)
        let old = part.old.filter { counts[left[$0]].right > 0 }
        let new = part.new.filter { counts[right[$0]].left > 0 }
        count(part, by: -1)
        replace(part)
        guard old.count + new.count <= Self.work else { return }
        for index in old { removed[index] = false }
        for index in new { added[index] = false }
        for change in new.map({ right[$0] }).difference(from: old.map { left[$0] }) {
            switch change {
            case .insert(let offset, _, _): added[new[offset]] = true
            case .remove(let offset, _, _): removed[old[offset]] = true
            }
        }
    }

    private mutating func count(_ part: Part, by step: Int) {
        for index in part.old { counts[left[index]].left += step }
        for index in part.new {
            counts[right[index]].right += step
            counts[right[index]].rightPlace = index
        }
    }

    /// The parts between the lines that occur once on both sides in the same order; the part itself if there are none.
    private mutating func divided(_ part: Part) -> [Part] {
        count(part, by: 1)
        let pairs = part.old.compactMap { index -> (old: Int, new: Int)? in
            let count = counts[left[index]]
            return count.left == 1 && count.right == 1 ? (index, count.rightPlace) : nil
        }
        count(part, by: -1)
        var parts: [Part] = []
        var start = (old: part.old.lowerBound, new: part.new.lowerBound)
        for anchor in Self.rising(pairs) {
            parts.append(Part(old: start.old..<anchor.old, new: start.new..<anchor.new))
            start = (anchor.old + 1, anchor.new + 1)
        }
        return parts + [Part(old: start.old..<part.old.upperBound, new: start.new..<part.new.upperBound)]
    }

    /// The longest subsequence of pairs whose second numbers rise.
    private static func rising(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        /// For each length, the pair with the lowest end of a rising subsequence; and the predecessor of each pair in
        /// its subsequence.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = ends[low - 1] }
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var row: [(old: Int, new: Int)] = []
        var next = ends.last ?? -1
        while next >= 0 {
            row.append(pairs[next])
            next = before[next]
        }
        return row.reversed()
    }
}
