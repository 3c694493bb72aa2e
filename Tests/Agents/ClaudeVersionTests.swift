import Agents
import Testing

@Suite struct ClaudeVersionTests {
    @Test(arguments: [
        ("2.1.330 (Claude Code)\n", "2.1.330"), ("2.1.330-beta.1 (Claude Code)", "2.1.330"),
        ("10.0.0.4 (Claude Code)", "10.0.0"),
    ])
    func isReadFromWhatTheProgramPrints(_ printed: String, _ expected: String) {
        #expect(ClaudeVersion(printed: printed)?.description == expected)
    }

    @Test(arguments: ["", "2.1.330", "v20.1.0 (Claude Code)", "2.1 (Claude Code)", "node 2.1.3", "2..3 (Claude Code)"])
    func anythingElseIsNone(_ printed: String) {
        #expect(ClaudeVersion(printed: printed) == nil)
    }

    @Test func isComparedByItsNumbers() throws {
        let versions = ["1.9.999", "2.0.400", "2.1.99", "2.1.283", "10.0.0"]
        let read = try versions.map { try #require(ClaudeVersion(printed: $0 + " (Claude Code)")) }
        #expect(read.shuffled().sorted().map(\.description) == versions)
    }
}
