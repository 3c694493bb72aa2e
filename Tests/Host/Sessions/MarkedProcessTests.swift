import Glibc
import Host
import Platform
import TestSupport
import Testing

/// Processes are found by a variable that they were started with.
@Suite struct MarkedProcessTests {
    private let directory: TemporaryDirectory
    private var table: ProcessTable { ProcessTable(root: directory.path) { _, _ in nil } }
    private static let now = UInt64(SystemTime.sinceBoot / 1000 * Int64(sysconf(Int32(_SC_CLK_TCK))))

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func write(_ pid: Int32, start: UInt64 = now, _ environment: String) throws {
        mkdir(directory("\(pid)"), 0o755)
        let others = String(repeating: " 1", count: 17)
        try directory.write("\(pid) (sh) S 1\(others) \(start) 1", to: "\(pid)/stat")
        try directory.write(environment, to: "\(pid)/environ")
    }

    private func found(pause: (UInt32) -> Void = { _ in }) -> [Int32] {
        table.processes(with: "CDEV_RUN=s_1 2", pause: pause).map(\.pid)
    }

    @Test func theWholeVariableCounts() throws {
        try write(10, "A=b\0CDEV_RUN=s_1 2\0")
        try write(11, "CDEV_RUN=s_1 22\0")
        try write(12, "XCDEV_RUN=s_1 2\0CDEV_RUN=s_2 2\0")
        #expect(found() == [10])
    }

    @Test func oneThatIsBeingStartedIsWaitedFor() throws {
        try write(10, "")
        #expect(found { _ in try? write(10, "CDEV_RUN=s_1 2\0") } == [10])
    }

    /// It was started without variables.
    @Test func oneThatHasNoneForLongIsNot() throws {
        try write(10, start: 0, "")
        #expect(found { _ in Issue.record("it is waited for") } == [])
    }
}
