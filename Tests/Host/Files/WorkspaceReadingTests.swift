import Core
import Host
import TestSupport
import Testing

/// What lies in a workspace is read, and nothing else, whether the kernel checks the way or we do.
@Suite("Reading below a workspace", .timeLimit(.minutes(1)))
struct WorkspaceReadingTests {
    private static let ways = [WorkspaceTree(), WorkspaceTree(asksKernel: false)]
    private static let script = """
        mkdir -p a/b; echo inside > a/b/f; ln -s b/f a/link; ln -s ../a/b a/dir; ln -s "$PWD/a/b/f" absolute
        ln -s ../out out; ln -s ../out/f leaf; ln -s /etc/passwd etc; ln -s a/../../out/f up; ln -s loop loop
        ln -s nowhere dangling; mkfifo pipe; ln -s /dev/null null; ln -s /proc/self/fd/0 magic; ln -s "$PWD-2/x" beside
        ln -s a/b/../../a/b/f round; mkdir closed; echo x > closed/x; chmod 0 closed
        """

    @Test(
        arguments: ways.indices,
        [
            ("a/b/f", "inside\n"), ("a/link", "inside\n"), ("a/dir/f", "inside\n"), ("absolute", "inside\n"),
            ("round", "inside\n"),
        ])
    func isRead(way: Int, _ sample: (path: String, text: String)) throws {
        #expect(try WorkspaceStage(Self.script).text(sample.path, Self.ways[way]) == sample.text)
    }

    @Test(
        arguments: ways.indices,
        [
            ("leaf", FileObstacle.leaves), ("out/f", .leaves), ("etc", .leaves), ("up", .leaves), ("null", .leaves),
            ("magic", .leaves), ("beside", .leaves), ("loop", .leadsNowhere), ("dangling", .missing),
            ("pipe", .special),
            ("none", .missing), ("a/b/f/x", .missing), ("a", .directory), ("a/dir", .directory),
        ])
    func isRefused(way: Int, _ sample: (path: String, obstacle: FileObstacle)) throws {
        let stage = try WorkspaceStage(Self.script)
        #expect(throws: sample.obstacle) { try stage.text(sample.path, Self.ways[way]) }
    }

    /// A link may lead from a harmless name to a sensitive one, so whoever decides is told where it led.
    @Test(arguments: ways.indices) func theRealPlaceIsTold(way: Int) throws {
        let stage = try WorkspaceStage("mkdir .git; echo x > .git/config; ln -s .git pub; ln -s .git/config notes")
        for path in ["pub/config", "notes", ".git/config"] {
            let content = try Self.ways[way].content(of: WorkspacePath(path), in: stage.root, limit: 9) { place in
                #expect(place.text == ".git/config")
                return false
            }
            #expect(content == nil)
        }
        let page = try Self.ways[way].page(of: WorkspacePath("pub"), in: stage.root, offset: 0, limit: 9) {
            $0.text != ".git"
        }
        #expect(page == nil)
    }

    @Test(arguments: ways.indices) func aWorkspaceWhoseDirectoryIsALinkNowIsNotRead(way: Int) throws {
        let stage = try WorkspaceStage("echo inside > f")
        stage.run("mv work was; ln -s out work")
        #expect(throws: FileObstacle.workspaceMoved) { try stage.text("f", Self.ways[way]) }
        stage.run("rm work; mkdir work; ln -s ../was work/w; rm -r work")
        #expect(throws: FileObstacle.workspaceMoved) { try stage.text("f", Self.ways[way]) }
    }

    /// Its name would no longer say that it is sensitive.
    @Test func aNameMayEndLikeThatOfARemovedFile() throws {
        let stage = try WorkspaceStage("echo inside > 'x (deleted)'")
        #expect(try stage.text("x (deleted)") == "inside\n")
    }

    @Test func contentIsLimited() throws {
        let stage = try WorkspaceStage("head -c 100000 /dev/zero | tr '\\0' x > big; : > empty")
        let content = try #require(
            try WorkspaceTree().content(of: WorkspacePath("big"), in: stage.root, limit: 1000) { _ in true })
        #expect(content.bytes.count == 1000 && content.size == 100_000 && content.isTruncated)
        #expect(try stage.text("empty") == "")
    }
}
