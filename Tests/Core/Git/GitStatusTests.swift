import Core
import Testing

@Suite struct GitStatusTests {
    private func status(_ fields: String..., prefix: String = "") -> GitStatus {
        GitStatus(porcelain: fields.flatMap { Array($0.utf8) + [0] }, prefix: Array(prefix.utf8))
    }

    private static let hashes = "100644 100644 100644 aaaa bbbb"

    @Test func readsTheBranch() {
        let status = status(
            "# branch.oid 1234", "# branch.head feature/a b", "# branch.upstream origin/main", "# branch.ab +2 -3")
        #expect(status.branch == "feature/a b" && status.commit == "1234" && status.upstream == "origin/main")
        #expect(status.ahead == 2 && status.behind == 3 && status.isClean)
        let empty = self.status("# branch.oid (initial)", "# branch.head (detached)")
        #expect(empty.branch == nil && empty.commit == nil && empty.upstream == nil && empty.ahead == nil)
    }

    @Test func readsEachKindOfEntry() {
        let status = status(
            "1 M. N... \(Self.hashes) a b.txt", "1 .D N... \(Self.hashes) -f", "1 AM N... \(Self.hashes) x\ny",
            "2 R. N... \(Self.hashes) R100 new name", "old name", "u UU N... 1 2 3 4 a b c both", "? un tracked",
            "1 .M SC.. \(Self.hashes) module", "! ignored")
        #expect(status.staged.map(\.path.text) == ["a b.txt", "x\ny", "new name"])
        #expect(status.staged.map(\.status) == ["M", "A", "R"])
        #expect(status.staged.last?.oldPath?.text == "old name")
        #expect(status.unstaged.map(\.path.text) == ["-f", "x\ny", "module"])
        #expect(status.unstaged.map(\.isSubmodule) == [false, false, true])
        #expect(status.untracked.map(\.path.text) == ["un tracked"])
        #expect(status.conflicted.map(\.path.text) == ["both"] && status.conflicted.map(\.status) == ["UU"])
    }

    @Test func bytesThatAreNotUTF8Stay() {
        let status = GitStatus(porcelain: [0x3F, 0x20, 0x63, 0xE9, 0])
        #expect(status.untracked.map(\.path.bytes) == [[0x63, 0xE9]])
    }

    @Test func leavesOutWhatIsNotInTheWorkspace() {
        let status = status(
            "? sub/a", "? other/b", "? sub", "2 R. N... \(Self.hashes) R90 sub/new", "old", prefix: "sub/")
        #expect(status.untracked.map(\.path.text) == ["a"])
        #expect(status.staged.map(\.path.text) == ["new"] && status.staged[0].oldPath == nil)
    }

    /// What is cut anywhere, or no status at all, is read as far as it can be.
    @Test func readsAnything() {
        let whole = Array(
            "# branch.ab +1 -1\u{0}2 R. N... \(Self.hashes) R1 new\u{0}old\u{0}u UU N... 1 2 3 4 a b c d\u{0}".utf8)
        for end in whole.indices { _ = GitStatus(porcelain: Array(whole[..<end])) }
        for junk in ["1", "2 ", "u", "?", "#", "1 M", "# branch.head", "\u{0}\u{0}"] { _ = status(junk) }
    }

    @Test func countsLines() {
        let output = Array("10\t2\ta b\u{0}-\t-\tpicture\u{0}1\t0\t\u{0}old\u{0}new\u{0}x".utf8)
        let counts = GitNumstat.counts(output)
        #expect(counts.count == 2 && counts[GitPath("a b".utf8)] == GitLineCount(added: 10, deleted: 2))
        #expect(counts[GitPath("new".utf8)] == GitLineCount(added: 1, deleted: 0))
    }

    @Test func readsBranchesAndCommits() {
        func fields(_ texts: String...) -> [UInt8] { texts.flatMap { Array($0.utf8) + [0] } }
        let output =
            fields("refs/heads/-f", "*", "origin/-f", "", "abc", "12") + [10]
            + fields("refs/remotes/origin/HEAD", " ", "", "refs/remotes/origin/main", "abc", "12") + [10]
            + fields("refs/remotes/origin/main", " ", "", "", "abc", "12") + [10]
        let branches = GitBranch.list(output)
        #expect(branches.map(\.name) == ["-f", "origin/main"])
        #expect(branches.map(\.isCurrent) == [true, false] && branches.map(\.isRemote) == [false, true])
        let commits = GitCommit.list(fields("a", "b c", "Ann", "a@b", "t", "u", "subject", "body\n\nmore"))
        #expect(commits.map(\.parents) == [["b", "c"]] && commits[0].body == "body\n\nmore")
        #expect(GitChangedFile.list(fields("M", "a", "R100", "b", "c", "D", "d")).map(\.path.text) == ["a", "c", "d"])
    }
}
