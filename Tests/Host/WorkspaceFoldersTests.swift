import Core
import Glibc
import Host
import TestSupport
import Testing

struct WorkspaceFoldersTests {
    private let folders = WorkspaceFolders()

    private func make(_ paths: String..., in directory: TemporaryDirectory) {
        for path in paths { _ = shell("mkdir -p '\(directory(path))'") }
    }

    @Test func resolvesLinks() throws {
        let directory = try TemporaryDirectory()
        make("real/sub", in: directory)
        #expect(symlink(directory("real"), directory("link")) == 0)
        #expect(try folders.resolve(directory("link/sub"), creating: false) == directory("real/sub"))
        #expect(try folders.resolve(directory("real/./sub/..") + "/", creating: false) == directory("real"))
    }

    @Test func makesTheLastDirectoryOnly() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: DirectoryProblem.missing) { try folders.resolve(directory("new"), creating: false) }
        #expect(throws: DirectoryProblem.missingParent) { try folders.resolve(directory("a/b"), creating: true) }
        #expect(try folders.resolve(directory("new"), creating: true) == directory("new"))
        #expect(try folders.resolve(directory("new"), creating: true) == directory("new"))
    }

    @Test func refusesWhatIsNoDirectory() throws {
        let directory = try TemporaryDirectory()
        try directory.write("x", to: "file")
        #expect(mkfifo(directory("pipe"), 0o600) == 0)
        #expect(symlink(directory("loop"), directory("loop")) == 0)
        for name in ["file", "pipe"] {
            #expect(throws: DirectoryProblem.notDirectory) { try folders.resolve(directory(name), creating: true) }
        }
        #expect(throws: DirectoryProblem.notDirectory) { try folders.resolve(directory("file/x"), creating: true) }
        #expect(throws: DirectoryProblem.self) { try folders.resolve(directory("loop"), creating: true) }
        for path in ["", "relative", "/" + String(repeating: "x", count: 5000), "/tmp\0/x"] {
            #expect(throws: DirectoryProblem.spelling) { try folders.resolve(path, creating: true) }
        }
    }

    @Test func findsRepositories() throws {
        let directory = try TemporaryDirectory()
        make(
            "code/app/.git", "code/app/nested/.git", "code/deep/er/tool/.git", "code/.hidden/x/.git",
            "code/node_modules/y/.git", "elsewhere/z/.git", "code/plain", in: directory)
        try directory.write("gitdir: /x", to: "code/plain/.git")
        #expect(symlink(directory("elsewhere"), directory("code/link")) == 0)
        let found = folders.repositories(below: [directory("code")], DiscoveryLimits()) { false }
        #expect(found.paths == ["code/app", "code/deep/er/tool", "code/plain"].map { directory($0) })
        #expect(found.isComplete && found.skipped == 0)
        let twice = [directory("code/app"), directory("code/app")]
        let itself = folders.repositories(below: twice, DiscoveryLimits()) { false }
        #expect(itself.paths == [directory("code/app")])
    }

    @Test func stopsAtItsLimits() throws {
        let directory = try TemporaryDirectory()
        make("a/.git", "b/.git", "c/d/e/.git", in: directory)
        var limits = DiscoveryLimits()
        limits.repositories = 1
        let one = folders.repositories(below: [directory.path], limits) { false }
        #expect(one.paths == [directory("a")] && !one.isComplete)
        limits = DiscoveryLimits()
        limits.depth = 1
        let shallow = folders.repositories(below: [directory.path], limits) { false }
        #expect(shallow.paths == [directory("a"), directory("b")] && !shallow.isComplete)
        limits = DiscoveryLimits()
        limits.directories = 2
        #expect(folders.repositories(below: [directory.path], limits) { false }.scanned == 2)
        let over = folders.repositories(below: [directory.path], DiscoveryLimits()) { true }
        #expect(over.paths == [] && !over.isComplete)
        let gone = folders.repositories(below: [directory("none")], DiscoveryLimits()) { false }
        #expect(gone.skipped == 1)
    }
}
