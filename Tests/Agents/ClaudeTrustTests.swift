import Agents
import TestSupport
import Testing

/// A directory is trusted only where Claude's own record says so.
@Suite struct ClaudeTrustTests {
    @Test(arguments: [
        (#"{"projects":{"/p":{"hasTrustDialogAccepted":true}}}"#, true),
        (#"{"projects":{"/p":{"hasTrustDialogAccepted":false}}}"#, false),
        (#"{"projects":{"/p":{"hasTrustDialogAccepted":"true"}}}"#, false),
        (#"{"projects":{"/":{"hasTrustDialogAccepted":true},"/p/":{"hasTrustDialogAccepted":true}}}"#, false),
        (#"{"projects":[]}"#, false), ("", false), ("no JSON", false),
    ])
    func onlyAClearYesCounts(_ record: String, _ expected: Bool) throws {
        let directory = try TemporaryDirectory()
        try directory.write(record, to: ".claude.json")
        #expect(ClaudeTrust.isTrusted("/p", environment: ["CLAUDE_CONFIG_DIR": directory.path]) == expected)
        #expect(ClaudeTrust.isTrusted("/p", environment: ["HOME": directory.path]) == expected)
        #expect(!ClaudeTrust.isTrusted("/p", environment: ["HOME": directory("none")]))
        #expect(!ClaudeTrust.isTrusted("/p", environment: [:]))
    }
}
