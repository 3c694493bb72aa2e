import Glibc
import Host
import TestSupport
import Testing

struct ProcessTableTests {
    /// A `/proc` with the processes (pid, parent, name).
    private func table(_ processes: [(Int32, Int32, String)]) throws -> (ProcessTable, TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        for (pid, parent, name) in processes {
            try write(directory, pid, parent, name)
        }
        return (ProcessTable(root: directory.path) { _, _ in nil }, directory)
    }

    private func write(_ directory: TemporaryDirectory, _ pid: Int32, _ parent: Int32, _ name: String) throws {
        mkdir(directory("\(pid)"), 0o755)
        try directory.write("\(name)\n", to: "\(pid)/comm")
        try writeStat(directory, pid, "\(name)) S \(parent)")
    }

    private func writeStat(_ directory: TemporaryDirectory, _ pid: Int32, _ start: String) throws {
        let others = String(repeating: " 1", count: 17)
        try directory.write("\(pid) (\(start)\(others) 4711 1", to: "\(pid)/stat")
    }

    @Test(arguments: [("S", 4711), ("R", 4711), ("Z", nil), ("X", nil)] as [(String, UInt64?)])
    func whatHasEndedHasNoStartTime(state: String, expected: UInt64?) throws {
        let (table, directory) = try table([(10, 1, "claude")])
        try withExtendedLifetime(directory) {
            try writeStat(directory, 10, "a) b (c) \(state) 1")
            #expect(table.startTime(of: 10) == expected)
        }
    }

    @Test func findsProcessesByTheirName() throws {
        let (table, directory) = try table([(10, 1, "claude"), (11, 10, "claude"), (12, 1, "clauded"), (13, 1, "sh")])
        try withExtendedLifetime(directory) {
            #expect(table.processes(named: "claude") == [10])
            try write(directory, 9, 1, "claude")
            #expect(table.processes(named: "claude") == [9, 10])
        }
        #expect(ProcessTable(root: "/nowhere") { _, _ in nil }.processes(named: "claude").isEmpty)
    }
}
