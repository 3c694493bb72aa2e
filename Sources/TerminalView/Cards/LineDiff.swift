/// A line of a comparison.
package struct DiffLine: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case added = "+"
        case removed = "-"
        case same = " "
    }

    package let kind: Kind
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// What became of the lines of a text.
package enum LineDiff {
    /// Beyond so many lines that differ on either side, all of them are shown as replaced: looking for the least
    /// difference takes the square of their number.
    private static let most = 1500

    package static func lines(from old: String, to new: String) -> [DiffLine] {
        var left = split(old)[...]
        var right = split(new)[...]
        var head: [DiffLine] = []
        var tail: [DiffLine] = []
        while let line = left.first, right.first.map({ alike($0, line) }) == true {
            head.append(DiffLine(.same, String(line)))
            left.removeFirst()
            right.removeFirst()
        }
        while let line = left.last, right.last.map({ alike($0, line) }) == true {
            tail.append(DiffLine(.same, String(line)))
            left.removeLast()
            right.removeLast()
        }
        return head + middle(Array(left), Array(right)) + tail.reversed()
    }

    private static func split(_ text: String) -> [Substring.UnicodeScalarView] {
        text.isEmpty
            ? []
            : text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// By scalar: Swift takes differently encoded characters for equal, and bytes are what is written to the file.
    private static func alike(_ left: Substring.UnicodeScalarView, _ right: Substring.UnicodeScalarView) -> Bool {
        left.elementsEqual(right)
    }

    private static func middle(
        _ old: [Substring.UnicodeScalarView], _ new: [Substring.UnicodeScalarView]
    ) -> [DiffLine] {
        let replaced =
            old.map { DiffLine(.removed, String($0)) } + new.map { DiffLine(.added, String($0)) }
        guard old.count <= most, new.count <= most, !old.isEmpty, !new.isEmpty else { return replaced }
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old, by: alike) {
            switch change {
            case .insert(let offset, _, _): added.insert(offset)
            case .remove(let offset, _, _): removed.insert(offset)
            }
        }
        return merged(old, removed, new, added)
    }

    private static func merged(
        _ old: [Substring.UnicodeScalarView], _ removed: Set<Int>, _ new: [Substring.UnicodeScalarView],
        _ added: Set<Int>
    ) -> [DiffLine] {
        var lines: [DiffLine] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                lines.append(DiffLine(.removed, String(old[left])))
                left += 1
            } else if right < new.count, added.contains(right) {
                lines.append(DiffLine(.added, String(new[right])))
                right += 1
            } else {
                lines.append(DiffLine(.same, String(old[left])))
                left += 1
                right += 1
            }
        }
        return lines
    }
}
