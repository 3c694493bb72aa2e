import Core
import Host
import OrderedJSON
import Wire

/// Work without a clock, a socket or a file, for tools that count instructions and allocations.
enum CountedParts {
    /// The matcher: one Bash call against 200 rules.
    static func match(_ calls: Int) {
        let evaluator = EngineEvaluator(paths: DiskPaths(), commands: .shipped, home: "/nonexistent")
        let place = RulePlace(root: "/tmp", cwd: "/tmp", shell: "/bin/bash")
        let rules = GrantedRules(
            (0..<200).map { number in
                SessionRule(
                    id: "rule\(number)", sessionID: "s", effect: .allow, pattern: "Bash(npm run script\(number):*)",
                    createdAt: Timestamp(milliseconds: 0), grantedBy: "bench", requestID: "r",
                    lastMatch: Timestamp(milliseconds: 0))
            })
        let call = ToolCall(
            tool: Tool(name: "Bash", kind: .shellCommand), input: ["command": "npm run script199"], useID: nil)
        for _ in 0..<calls { _ = evaluator.allowing(call, at: place, among: rules) }
    }

    /// What a hook's 1 KB goes through on its way in: HTTP, then JSON.
    static func parse(_ calls: Int) {
        let request = HTTPText.post(
            "/hooks/claude", HookInput.bash(session: "s", id: "call"), fields: HTTPText.relayFields(1))
        for _ in 0..<calls {
            var parser = HTTPRequestParser()
            parser.receive(request)
            guard case .request(let request)? = parser.next() else { continue }
            _ = try? JSON(parsing: request.body)
        }
    }
}
