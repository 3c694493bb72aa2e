import Core
import Host
import TestSupport
import Testing

@Suite("Listing a workspace", .timeLimit(.minutes(3)))
struct WorkspaceListingTests {
    private static let script = """
        mkdir -p src/deep .git node; echo 12345 > src/a; echo 123 > src/deep/b; echo x > b.txt; echo y > a.txt
        printf 'a\\0b' > bin; ln -s src s; ln -s a.txt t; ln -s ../out o; ln -s nowhere n; mkfifo p
        """

    @Test func directoriesComeFirstAndAreSorted() throws {
        let stage = try WorkspaceStage(Self.script)
        #expect(
            try stage.names() == [".git/", "node/", "s/", "src/", "a.txt", "b.txt", "bin", "n", "o", "p", "t"])
        let page = try stage.page(offset: 3, limit: 3)
        #expect(page.directories.map(\.name) == ["src"] && page.files.map(\.name) == ["a.txt", "b.txt"])
        #expect(page.totalDirectories == 4 && page.totalFiles == 7 && !page.isPartial)
        #expect(try stage.page(offset: 6, limit: 3).files.map(\.name) == ["bin", "n", "o"])
        #expect(try stage.page(offset: 99).files.isEmpty)
        #expect(throws: FileObstacle.notDirectory) { try stage.page("a.txt") }
        #expect(throws: FileObstacle.missing) { try stage.page("none") }
        #expect(throws: FileObstacle.leaves) { try stage.page("o") }
    }

    @Test func entriesSayWhatTheyAre() throws {
        let stage = try WorkspaceStage(Self.script)
        let page = try stage.page()
        let directories = Dictionary(uniqueKeysWithValues: page.directories.map { ($0.name, $0) })
        #expect(directories["src"]?.fileCount == 2 && directories["src"]?.totalSize == 10)
        #expect(directories["s"]?.isLink == true && directories["s"]?.target?.text == "src")
        #expect(directories["s"]?.fileCount == 0)
        let files = Dictionary(uniqueKeysWithValues: page.files.map { ($0.name, $0) })
        #expect(files["a.txt"]?.size == 2 && files["a.txt"]?.isBinary == false)
        #expect(files["bin"]?.isBinary == true)
        #expect(files["t"]?.isLink == true && files["t"]?.size == 2 && files["t"]?.target?.text == "a.txt")
        #expect(files["o"]?.isLink == true && files["o"]?.obstacle == .leaves && files["o"]?.size == 0)
        #expect(files["n"]?.obstacle == .leadsNowhere)
        #expect(files["p"]?.obstacle == .special && files["p"]?.isLink == false)
    }

    /// Nothing that has such a name can be asked for, and yet it is there.
    @Test func aNameThatIsNoTextIsListed() throws {
        let stage = try WorkspaceStage("touch \"$(printf 'x\\377')\" 'a b' '*' ':(glob)x'")
        let files = try stage.page().files
        #expect(files.map(\.name).contains("x\u{FFFD}"))
        #expect(files.first { $0.name == "x\u{FFFD}" }?.obstacle == .missing)
        #expect(files.count { $0.obstacle == nil } == 3)
    }

    @Test func countingIsLimitedAndSaysSo() throws {
        let stage = try WorkspaceStage(
            "mkdir big small; touch small/x; for d in $(seq 22); do mkdir big/$d; (cd big/$d; touch $(seq 1000)); done")
        let page = try stage.page()
        #expect(page.directories[0].isCountPartial && page.directories[0].fileCount > 100)
        #expect(page.directories[1].fileCount <= 1)
    }

    /// A hundred thousand names, page by page.
    @Test func aLargeDirectoryIsPaged() throws {
        let stage = try WorkspaceStage(
            "mkdir big; cd big; seq -f 'f%06.0f' 100000 | xargs touch; touch -d '1 hour ago' .")
        let disk = WorkspaceTree()
        let clock = ContinuousClock()
        var names: [String] = []
        let first = try stage.page("big", disk)
        let rest = try clock.measure {
            for offset in stride(from: 0, to: 100_000, by: 20_000) {
                names += try stage.page("big", disk, offset: offset).files.map(\.name)
            }
        }
        #expect(first.totalFiles == 100_000 && first.files.first?.name == "f000001" && !first.isPartial)
        #expect(names.count == 2500 && names == names.sorted() && Set(names).count == 2500)
        // Generous: one page is some milliseconds, and the time of reading all names would be some seconds in all.
        #expect(rest < .seconds(20))
        stage.run("touch work/big/f000000")
        #expect(try stage.page("big", disk).totalFiles == 100_001)
    }

    @Test func stampsTellWhatChanged() throws {
        let stage = try WorkspaceStage("mkdir d; echo 1 > d/a; echo 2 > d/b")
        let disk = WorkspaceTree()
        let path = try WorkspacePath("d")
        let before = try #require(try disk.snapshot(of: path, in: stage.root) { _ in true })
        stage.run("cd work/d; echo 11 > a; mv b c; mkdir e")
        let after = try #require(try disk.snapshot(of: path, in: stage.root) { _ in true })
        let changes = after.changes(since: before, of: path).map { "\($0.kind) \($0.path.text)" }
        #expect(changes == ["modified d/a", "renamed d/c", "created d/e"])
        stage.run("rm -r work/d")
        #expect(throws: FileObstacle.missing) { try disk.snapshot(of: path, in: stage.root) { _ in true } }
    }
}
