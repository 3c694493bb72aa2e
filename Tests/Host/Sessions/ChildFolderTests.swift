import Core
import Glibc
import Host
import Platform
import TestSupport
import Testing

/// Where the child of a run session reads from and writes to.
@Suite struct ChildFolderTests {
    private let home: TemporaryDirectory

    init() throws {
        home = try TemporaryDirectory()
    }

    private func folder() throws -> ChildFolder { try #require(ChildFolder(home: home.path, session: "s_1")) }

    @Test(arguments: ["", ".", "..", "../x", "a/b", ".hidden", String(repeating: "a", count: 201)])
    func noIDLeadsElsewhere(_ id: String) {
        #expect(ChildFolder(home: home.path, session: id) == nil)
    }

    @Test func filesAreForThisUserOnly() throws {
        let folder = try folder()
        let streams = try folder.open(1)
        #expect(streams.descriptors.count == 3)
        #expect(
            shell("cd '\(home.path)' && stat -c '%n %a %F' sessions sessions/s_1 sessions/s_1/* | sort") == """
                sessions 700 directory
                sessions/s_1 700 directory
                sessions/s_1/errors.1 600 regular empty file
                sessions/s_1/in.1 600 fifo
                sessions/s_1/out.1 600 regular empty file

                """)
        #expect(ChildFolder.sessions(home: home.path) == ["s_1"])
        folder.remove()
        #expect(ChildFolder.sessions(home: home.path) == [])
    }

    @Test func eachChildHasFilesOfItsOwn() throws {
        let folder = try folder()
        _ = try folder.open(1)
        #expect(throws: SystemError(code: EEXIST)) { try folder.open(1) }
        _ = try folder.open(2)
        #expect(shell("ls '\(folder.path)'") == "errors.2\nin.2\nout.2\n")
    }

    @Test func aLinkIsNoDirectoryOfOurs() throws {
        mkdir(home("elsewhere"), 0o700)
        symlink(home("elsewhere"), home("sessions"))
        #expect(throws: SystemError(code: ENOTDIR)) { try folder().open(1) }
    }

    /// The child is found by its input, whatever its number is; what shares that input is not taken for the child.
    @Test func aChildIsFoundByWhatItReadsFrom() throws {
        let folder = try folder()
        let streams = try folder.open(1)
        let table = ProcessTable { _, _ in nil }
        #expect(table.child(readingFrom: folder.input(1)) == nil)
        let script = "sleep 100 >/dev/null 2>&1 & echo $$; exec sleep 100 >/dev/null 2>&1"
        let pid = Int32(shell("setsid sh -c '\(script)' <> '\(folder.input(1))' &").dropLast())
        let child = try #require(table.child(readingFrom: folder.input(1)))
        #expect(child.pid == pid)
        #expect(table.descendants(of: child.pid).count == 1)
        #expect(table.descendants(of: 1).contains(child) || table.descendants(of: getpid()).contains(child))
        for process in table.descendants(of: child.pid) + [child] { kill(process.pid, SIGKILL) }
        withExtendedLifetime(streams) {}
    }
}
