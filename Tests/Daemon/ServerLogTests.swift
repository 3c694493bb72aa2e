import Core
import Daemon
import Foundation
import TestSupport
import Testing

@Suite struct ServerLogTests {
    private func log(_ home: PrivateHome, _ level: LogLevel = .info, rotatesAt: Int = 5_000_000) -> ServerLog {
        ServerLog(
            path: home.file("server.log"), level: level, now: { Timestamp(milliseconds: 0) }, rotatesAt: rotatesAt)
    }

    @Test func writesALineAnEvent() throws {
        let home = try PrivateHome()
        let log = log(home)
        log.debug("not this")
        log.warning("odd\nname", ["name": "a b=\"c\"\u{7}", "id": "r_1", "none": ""])
        #expect(
            try home.read("server.log") == "1970-01-01T00:00:00Z warning odd?name name=\"a b='c'?\" id=r_1 none=\"\"\n")
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
}
