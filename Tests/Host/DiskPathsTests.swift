import Core
import Foundation
import Host
import Rules
import Testing

@Suite("The disk as rules see it")
struct DiskPathsTests {
    /// A directory of its own, resolved.
    private final class Scratch {
        let path: String
        init() throws {
            let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
                .appending(path: "disk-paths-\(UUID().uuidString)")
            path = url.path
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        func directory(_ name: String) throws {
            try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
        }
        func file(_ name: String) throws { try Data().write(to: URL(filePath: path + "/" + name)) }
        func link(_ name: String, _ target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func make() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.directory("a/b/c")
        try scratch.directory("other/deep")
        try scratch.file("a/file")
        try scratch.link("link", "other/deep")
        try scratch.link("absolute", "/usr")
        try scratch.link("loop", "loop")
        try scratch.link("ping", "pong")
        try scratch.link("pong", "ping")
        try scratch.link("dangling", "nowhere/x")
        try scratch.link("chain", "link/../up")
        try scratch.link("other/up", "../a")
        try scratch.link("a/self", ".")
        return scratch
    }

    @Test("as the kernel resolves it, links before `..`")
    func resolve() throws {
        let scratch = try make()
        let cases: [(String, String)] = [
            ("a/b", "/a/b"), ("./a//b/.", "/a/b"), ("a/../a/b/..", "/a"), ("link", "/other/deep"),
            ("link/..", "/other"),
            ("link/../up", "/a"), ("chain/b", "/a/b"), ("dangling", "/nowhere/x"), ("a/new/file", "/a/new/file"),
            ("a/self/self/b", "/a/b"), ("a/file", "/a/file"), ("", ""), (".", ""), ("a/file/x", "/a/file/x"),
        ]
        for (path, expected) in cases {
            let found = DiskPaths().resolve(path, from: scratch.path)
            #expect(found == ResolvedPath(path: scratch.path + expected, isCertain: true), "\(path)")
        }
        #expect(DiskPaths().resolve("absolute/share", from: scratch.path).path == "/usr/share")
        #expect(DiskPaths().resolve("/../..", from: scratch.path).path == "/")
        #expect(DiskPaths().resolve("../../../../../../../../..", from: scratch.path).path == "/")
        #expect(DiskPaths().resolve(scratch.path + "/link", from: "/").path == scratch.path + "/other/deep")
    }

    @Test("what cannot be told is not certain")
    func uncertain() throws {
        let scratch = try make()
        for path in [
            "loop", "loop/x", "ping", "none/../a", "none/x/..", String(repeating: "y", count: 300), "a\0b",
        ] {
            #expect(!DiskPaths().resolve(path, from: scratch.path).isCertain, "\(path.prefix(20))")
        }
    }

    /// Of a process that has ended, and of the kernel's own, `lstat` says that there is a link, and `readlink` that there
    /// is nothing.
    @Test("a link that says not where it leads is not certain")
    func speechless() {
        var status = stat()
        var target: CChar = 0
        guard lstat("/proc/2/exe", &status) == 0, readlink("/proc/2/exe", &target, 1) == -1 else { return }
        #expect(!DiskPaths().resolve("/proc/2/exe", from: "/").isCertain)
        #expect(!DiskPaths().resolve("/proc/2/exe/x", from: "/").isCertain)
    }

    @Test("agrees with realpath(3) on what exists")
    func agrees() throws {
        let scratch = try make()
        for path in ["a", "a/b/c/../..", "link/../../a/self/b", "chain/file", "absolute/../", "other/up/self/../other"]
        {
            guard let real = realpath(scratch.path + "/" + path, nil) else { continue }
            defer { free(real) }
            #expect(DiskPaths().resolve(path, from: scratch.path).path == String(cString: real), "\(path)")
        }
    }

    @Test("kinds, links followed")
    func kinds() throws {
        let scratch = try make()
        for (name, kind) in [
            ("a", PathKind.directory), ("a/file", .file), ("link", .directory), ("none", .missing),
            ("dangling", .missing),
            ("a/file/x", .missing), ("loop", .other),
        ] {
            #expect(DiskPaths().kind(of: scratch.path + "/" + name) == kind, "\(name)")
        }
        #expect(DiskPaths().kind(of: "/dev/null") == .other)
    }

    @Test("the repository git would find")
    func repositories() throws {
        let scratch = try make()
        let root = scratch.path
        try scratch.directory("project/.git")
        try scratch.directory("project/src/deep")
        try scratch.directory("project/planted/objects")
        try scratch.directory("project/planted/sub")
        try scratch.file("project/planted/HEAD")
        try scratch.directory("project/tree/x")
        try scratch.file("project/tree/.git")
        try scratch.directory("project/half/objects")
        for (directory, expected) in [
            ("/project", "/project"), ("/project/src/deep", "/project"), ("/project/planted", "/project/planted"),
            ("/project/planted/sub", "/project/planted"), ("/project/tree/x", "/project/tree"),
            ("/project/half", "/project"),
        ] {
            #expect(DiskPaths().repository(from: root + directory) == root + expected, "\(directory)")
        }
        #expect(DiskPaths().repository(from: "relative") == nil)
    }

    @Test("all names, hidden ones too")
    func names() throws {
        let scratch = try make()
        let made = ["x.ts", "y.test.ts", "-rf.ts", ".hidden.ts", "ts", "a.TS"]
        for name in made { try scratch.file("a/b/" + name) }
        let paths = DiskPaths()
        #expect(paths.names(in: scratch.path + "/a/b")?.sorted() == (made + ["c"]).sorted())
        #expect(paths.names(in: scratch.path + "/none") == [])
        #expect(paths.names(in: scratch.path + "/a/file") == [])
    }

    @Test("small files as text")
    func text() throws {
        let scratch = try make()
        try Data("[core]\n".utf8).write(to: URL(filePath: scratch.path + "/config"))
        try scratch.link("pointer", "config")
        #expect(DiskPaths().text(of: scratch.path + "/config", limit: 7) == "[core]\n")
        #expect(DiskPaths().text(of: scratch.path + "/pointer", limit: 7) == "[core]\n")
        #expect(DiskPaths().text(of: scratch.path + "/config", limit: 6) == nil)
        #expect(DiskPaths().text(of: scratch.path + "/a", limit: 100) == nil)
        #expect(DiskPaths().text(of: scratch.path + "/none", limit: 100) == nil)
    }

    @Test("a directory too large to be read while everybody waits")
    func crowd() throws {
        let scratch = try make()
        for number in 0..<20_000 { symlink("x", "\(scratch.path)/a/b/\(number).ts") }
        #expect(DiskPaths().names(in: scratch.path + "/a/b") == nil)
    }

    @Test("a name that is no text cannot be asked about, so nothing is said")
    func badNames() throws {
        let scratch = try make()
        let bytes = Array((scratch.path + "/a/b/").utf8) + [0xFF] + Array(".ts".utf8) + [0]
        let made = bytes.withUnsafeBytes { open($0.bindMemory(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600) }
        try #require(made >= 0, "this file system refuses names that are no text")
        close(made)
        #expect(DiskPaths().names(in: scratch.path + "/a/b") == nil)
    }
}
