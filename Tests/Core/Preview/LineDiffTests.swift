import Core
import Testing

@Suite("Differences by lines")
struct LineDiffTests {
    private func diff(_ old: String, _ new: String, limit: Int = 1 << 20) -> LineDiff {
        LineDiff(from: Array(old.utf8), to: Array(new.utf8), limit: limit)
    }

    /// As `diff -u` prints it, without the counts.
    private func text(_ diff: LineDiff) -> [String] {
        diff.hunks.flatMap { hunk in
            ["@@ \(hunk.oldStart) \(hunk.newStart)"]
                + hunk.lines.map { $0.operation.rawValue + $0.text + ($0.isTerminated ? "" : "$") }
        }
    }

    static let cases: [(String, String, [String])] = [
        ("", "", []), ("a\n", "a\n", []), ("", "a\nb\n", ["@@ 1 1", "+a", "+b"]), ("a\n", "", ["@@ 1 1", "-a"]),
        ("a\nb\nc\n", "a\nx\nc\n", ["@@ 1 1", " a", "-b", "+x", " c"]),
        ("a\n", "a", ["@@ 1 1", "-a", "+a$"]), ("a\r\n", "a\n", ["@@ 1 1", "-a\r", "+a"]),
        ("e\u{301}\n", "\u{e9}\n", ["@@ 1 1", "-e\u{301}", "+\u{e9}"]), ("\n", "\n\n", ["@@ 1 1", " ", "+"]),
        (
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n5\n6\n7\n8\n9\n",
            ["@@ 2 2", " 2", " 3", " 4", "+X", " 5", " 6", " 7"]
        ),
        (
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "X\n2\n3\n4\n5\n6\n7\n8\nY\n",
            ["@@ 1 1", "-1", "+X", " 2", " 3", " 4", "@@ 6 6", " 6", " 7", " 8", "-9", "+Y"]
        ),
        (
            "1\n2\n3\n4\n5\n6\n7\n8\n", "X\n2\n3\n4\n5\n6\n7\nY\n",
            ["@@ 1 1", "-1", "+X", " 2", " 3", " 4", " 5", " 6", " 7", "-8", "+Y"]
        ),
        ("a\nb\na\nb\n", "b\na\nb\na\n", ["@@ 1 1", "-a", " b", " a", " b", "+a"]),
    ]

    @Test(arguments: cases)
    func shows(old: String, new: String, expected: [String]) {
        let found = text(diff(old, new))
        #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(found)")
    }

    @Test(arguments: [
        ("a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]), ("a", "a", [" a"]), ("", "a\n", ["+a"]), ("", "a", ["+a$"]),
        ("a\nb", "", ["-a", "-b$"]), ("a\nb\nc\nd", "b\nd\ne", ["-a", " b", "-c", " d", "+e"]), ("", "", []),
        ("a\nb", "a", [" a", "-b"]), ("a\n", "a", ["-a", "+a$"]), ("a\r\nb", "a\nb", ["-a\r", "+a", " b"]),
    ])
    func tellsOfPartsOfAFile(old: String, new: String, expected: [String]) {
        let lines = LineDiff.lines(from: old, to: new)
        #expect(lines.map { $0.operation.rawValue + $0.text + ($0.isTerminated ? "" : "$") } == expected)
    }

    /// Applied to the old text it gives the new one, and never has more changes than lines.
    @Test(arguments: 0..<200)
    func isTrue(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let words = (0..<Int.random(in: 1..<8, using: &random)).map { "line \($0)" } + [""]
        func lines() -> [String] {
            (0..<Int.random(in: 0..<60, using: &random)).map { _ in words.randomElement(using: &random)! }
        }
        let old = lines()
        var new = Bool.random(using: &random) ? old : lines()
        for _ in 0..<Int.random(in: 0..<5, using: &random) where !new.isEmpty {
            new[Int.random(in: new.indices, using: &random)] = "changed \(seed)"
        }
        let found = diff(old.map { $0 + "\n" }.joined(), new.map { $0 + "\n" }.joined())
        var result = old
        var shift = 0
        for hunk in found.hunks {
            let place = hunk.oldStart - 1 + shift
            #expect(place == hunk.newStart - 1)
            let before = hunk.lines.filter { $0.operation != .added }.map(\.text)
            let after = hunk.lines.filter { $0.operation != .removed }.map(\.text)
            #expect(Array(result[place..<place + before.count]) == before)
            result.replaceSubrange(place..<place + before.count, with: after)
            shift += after.count - before.count
        }
        #expect(result == new && found.more == 0)
        #expect(found.added - found.removed == new.count - old.count)
    }

    @Test("where a shortest way would take too long, all has changed", .timeLimit(.minutes(1)))
    func ceilingOnWork() {
        let old = (0..<4000).map { "\($0 % 7)\n" }.joined()
        let new = (0..<4000).map { "\($0 % 5)\n" }.joined()
        let found = diff("head\n" + old + "tail\n", "head\n" + new + "tail\n")
        #expect(found.removed > 3900 && found.added > 3900 && found.hunks.count == 1)
        #expect(found.hunks[0].lines.count { $0.operation == .kept } < 10 && found.hunks[0].lines.last?.text == "tail")
    }

    @Test("a large file with a small change is quick", .timeLimit(.minutes(1)))
    func largeFiles() {
        let lines = (0..<50_000).map { "line number \($0)\n" }
        var changed = lines
        changed[25_000] = "another\n"
        changed[40_000] = "and another\n"
        let found = diff(lines.joined(), changed.joined())
        #expect(found.hunks.map(\.oldStart) == [24_998, 39_998] && found.added == 2 && found.removed == 2)
    }

    /// Parts of some thousand lines are divided, and what comes of it is true all the same.
    @Test(arguments: 0..<10) func largeOrders(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let old = (0..<3000).map { $0 % 3 == 0 ? "}" : "line \($0)" }
        var new = old
        for _ in 0..<20 {
            let place = Int.random(in: 0..<new.count - 50, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: new.removeSubrange(place..<place + 20)
            case 1: new.insert("inserted \(place)", at: place)
            default: new[place..<place + 30].reverse()
            }
        }
        let found = diff(old.map { $0 + "\n" }.joined(), new.map { $0 + "\n" }.joined())
        var result = old
        var shift = 0
        for hunk in found.hunks {
            let before = hunk.lines.filter { $0.operation != .added }.map(\.text)
            let after = hunk.lines.filter { $0.operation != .removed }.map(\.text)
            let place = hunk.oldStart - 1 + shift
            #expect(Array(result[place..<place + before.count]) == before)
            result.replaceSubrange(place..<place + before.count, with: after)
            shift += after.count - before.count
        }
        #expect(result == new && found.removed < 1100)
    }

    @Test("what is too much to show is counted")
    func limit() {
        let new = (0..<1000).map { "line \($0)\n" }.joined()
        let found = diff("", new, limit: 1000)
        let shown = found.hunks.flatMap(\.lines)
        #expect(shown.count < 200 && shown.count + found.more == 1000 && found.added == 1000)
        let long = diff("", String(repeating: "x", count: 5000) + "\ny\n", limit: 1000)
        #expect(long.hunks[0].lines.count == 1 && long.more == 1, "a first line is shown whatever its length")
    }
}
