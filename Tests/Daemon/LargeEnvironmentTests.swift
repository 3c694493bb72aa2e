import Host
import TestSupport
import Testing

/// The variables of a caller and of the processes above it, which the caller may have chosen.
@Suite struct LargeEnvironmentTests {
    /// Else a command inside an agent gives itself and its ancestors more variables than can be searched while others
    /// wait.
    @Test func moreVariablesThanAreReadAreThoseOfAnAgent() throws {
        let home = try PrivateHome()
        let table = ProcessTable(root: home.file("proc")) { _, _ in nil }
        func line(_ ancestors: Int32, with variables: [String]) throws {
            for pid in 1...ancestors { try home.addProcess(pid, parent: pid - 1, environment: variables) }
        }
        try line(16, with: Array(repeating: "", count: 60_000))
        #expect(!table.runsInsideAgent(16, agents: [:]), "960,000 bytes are searched")
        try home.addProcess(3, parent: 2, environment: Array(repeating: "", count: 60_000) + ["OPENCODE=1"])
        #expect(table.runsInsideAgent(16, agents: [:]))
        try line(16, with: Array(repeating: "V=x", count: 20_000))
        #expect(table.runsInsideAgent(16, agents: [:]), "1.3 MB are not")
        try line(2, with: ["HOME=/h"])
        try home.addProcess(1, parent: 0, environment: [String(repeating: "x", count: 1 << 20)])
        #expect(table.runsInsideAgent(2, agents: [:]), "nor is one variable of a megabyte")
    }
}
