import Foundation
import Platform
import TestSupport
import Testing

@Suite struct ServerLogTests {
    private func log(_ home: PrivateHome, _ level: LogLevel = .info, rotatesAt: Int = 5_000_000) -> ServerLog {
        ServerLog(
            path: home.file("server.log"), level: level, time: { "1970-01-01T00:00:00Z" }, rotatesAt: rotatesAt)
    }

    @Test func writesALineAnEvent() throws {
        let home = try PrivateHome()
        let log = log(home)
        log.debug("not this")
        log.warning("odd\nname", ["name": "a b=\"c\"\u{7}", "id": "r_1", "none": ""])
        #expect(
            try home.read("server.log") == "1970-01-01T00:00:00Z warning odd?name name=\"a b='c'?\" id=r_1 none=\"\"\n")
    }

    /// A terminal obeys U+009B as it does an escape, U+202E turns the order of letters, U+2028 ends a line in some
    /// viewers.
    @Test func noNameActsOnTheTerminalOfAReader() throws {
        let home = try PrivateHome()
        log(home).info("caf\u{e9}", ["tool": "a\u{9b}5m\u{202e}b\u{200b}c\u{2028}d\u{85}e\u{a0}f\u{1b}"])
        #expect(try home.read("server.log") == "1970-01-01T00:00:00Z info caf\u{e9} tool=a?5m?b?c?d?e?f?\n")
    }

    @Test func keepsThreeFiles() throws {
        let home = try PrivateHome()
        let log = log(home, rotatesAt: 100)
        for number in 0..<9 { log.info("line \(number) " + String(repeating: "x", count: 50)) }
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path).sorted()
        #expect(names == ["server.log", "server.log.1", "server.log.2"])
        #expect(try home.read("server.log").contains("line 8") && home.read("server.log.2").contains("line 6"))
    }

    @Test func goesOnInTheSameFile() throws {
        let home = try PrivateHome()
        log(home).info("one")
        log(home).info("two")
        #expect(try home.read("server.log").split(separator: "\n").count == 2)
    }

    @Test(arguments: ["deleted", "moved", "replaced", "emptied"]) func beginsAFileThatIsGoneAnew(_ how: String) throws {
        let home = try PrivateHome()
        let log = log(home)
        let path = home.file("server.log")
        log.info("before")
        log.look()
        #expect(try home.read("server.log").hasSuffix("info before\n"), "nothing was wrong with it")
        switch how {
        case "deleted": try FileManager.default.removeItem(atPath: path)
        case "moved": try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        case "replaced": try Data("theirs\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        default: truncate(path, 0)
        }
        log.look()
        log.look()
        log.info("after")
        let lines = try home.read("server.log").split(separator: "\n")
        #expect(lines.last?.hasSuffix("info after") == true)
        #expect(lines.count { $0.contains("made anew") } == (how == "emptied" ? 0 : 1))
    }

    /// The log must neither wait for what lies at its path nor write into anything but a regular file.
    @Test(arguments: ["pipe", "link", "directory"]) func writesIntoNothingElse(_ what: String) throws {
        let home = try PrivateHome()
        let log = log(home)
        let path = home.file("server.log")
        try FileManager.default.removeItem(atPath: path)
        switch what {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "link": #expect(symlink(home.file("elsewhere"), path) == 0)
        default: #expect(mkdir(path, 0o700) == 0)
        }
        log.look()
        log.info("not there")
        #expect(!FileManager.default.fileExists(atPath: home.file("elsewhere")))
        try FileManager.default.removeItem(atPath: path)
        log.look()
        log.info("there")
        #expect(try home.read("server.log").hasSuffix("info there\n"))
    }
}
