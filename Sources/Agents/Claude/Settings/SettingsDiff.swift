/// The difference of two texts in the form of `diff -u`.
struct SettingsDiff {
    private enum Line {
        case same(String)
        case removed(String)
        case added(String)

        var isSame: Bool {
            if case .same = self { true } else { false }
        }
    }

    private static let context = 3
    private let lines: [Line]

    init(from old: [UInt8]?, to new: [UInt8]?) {
        let old = Self.lines(of: old ?? [])
        let new = Self.lines(of: new ?? [])
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map { Self.offset($0) })
        let added = Set(difference.insertions.map { Self.offset($0) })
        var lines: [Line] = []
        var (from, to) = (0, 0)
        while from < old.count || to < new.count {
            if removed.contains(from) {
                lines.append(.removed(old[from]))
                from += 1
            } else if added.contains(to) {
                lines.append(.added(new[to]))
                to += 1
            } else {
                lines.append(.same(old[from]))
                (from, to) = (from + 1, to + 1)
            }
        }
        self.lines = lines
    }

    /// Empty if there is no difference. A missing file is named `/dev/null`.
    func unified(from oldName: String, to newName: String) -> String {
        let hunks = hunks()
        guard !hunks.isEmpty else { return "" }
        return "--- \(oldName)\n+++ \(newName)\n" + hunks.map(text).joined()
    }

    /// Runs of changes with the lines around them; runs that touch are joined.
    private func hunks() -> [Range<Int>] {
        lines.indices.filter { !lines[$0].isSame }.reduce(into: []) { hunks, place in
            let range = max(0, place - Self.context)..<min(lines.count, place + Self.context + 1)
            if let last = hunks.last, last.upperBound >= range.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
    }

    private func text(of hunk: Range<Int>) -> String {
        let (oldStart, newStart) = counts(lines[..<hunk.lowerBound])
        let (oldCount, newCount) = counts(lines[hunk])
        let header = "@@ -\(Self.range(oldStart, oldCount)) +\(Self.range(newStart, newCount)) @@\n"
        return lines[hunk].reduce(into: header) { text, line in
            switch line {
            case .same(let line): text += Self.ended(" " + line)
            case .removed(let line): text += Self.ended("-" + line)
            case .added(let line): text += Self.ended("+" + line)
            }
        }
    }

    private func counts(_ lines: ArraySlice<Line>) -> (old: Int, new: Int) {
        lines.reduce(into: (0, 0)) { counts, line in
            switch line {
            case .same: counts = (counts.0 + 1, counts.1 + 1)
            case .removed: counts.0 += 1
            case .added: counts.1 += 1
            }
        }
    }

    private static func range(_ before: Int, _ count: Int) -> String {
        count == 0 ? "\(before),0" : count == 1 ? "\(before + 1)" : "\(before + 1),\(count)"
    }

    private static func ended(_ line: String) -> String {
        line.utf8.last == 0x0A ? line : line + "\n\\ No newline at end of file\n"
    }

    /// The lines of the text, each with its line feed.
    private static func lines(of text: [UInt8]) -> [String] {
        var lines: [String] = []
        var start = 0
        for (place, byte) in text.enumerated() where byte == 0x0A {
            lines.append(String(decoding: text[start...place], as: UTF8.self))
            start = place + 1
        }
        return start < text.count ? lines + [String(decoding: text[start...], as: UTF8.self)] : lines
    }

    private static func offset(_ change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}

extension SettingsPlan {
    /// The change in the form of `diff -u`; empty if nothing changes.
    /// - Parameter path: The file's name in it.
    package func unifiedDiff(path: String) -> String {
        SettingsDiff(from: before, to: after)
            .unified(from: before == nil ? "/dev/null" : path, to: after == nil ? "/dev/null" : path)
    }
}
