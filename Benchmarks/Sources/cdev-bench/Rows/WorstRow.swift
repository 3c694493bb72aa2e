import OrderedJSON

extension Row {
    static let worst = Row(
        name: "worst",
        measures:
            "what others feel while the daemon has one of the twelve worst inputs: a rule-settled call of another session, and /health",
        against: "the same while it is idle",
        run: { try WorstRow(bench: $0).run() })
}

private struct WorstRow {
    let bench: Bench

    /// One input, and whether a person is asked about it.
    private struct Input {
        let name: String
        let isHeld: Bool
        let request: (_ session: String) -> [UInt8]
    }

    func run() throws -> Findings {
        var findings = Findings()
        let inputs = Self.inputs(bytes: bench.isQuick ? 1 << 20 : 9 << 20)
        let daemon = try DaemonProcess(bench)
        let approver = try daemon.approver()
        let sessions = inputs.indices.map { "worst-\($0)" }
        try daemon.allow(sessions: sessions + ["probe"], by: approver)
        var probe = try Probe(daemon)
        let idle = try probe.sample(rounds: bench.rounds(1000))
        findings.add("idle: rule-settled call", idle.call)
        findings.add("idle: /health", idle.health)
        let before = daemon.resident
        var worst = Samples()
        for (input, session) in zip(inputs, sessions) {
            let client = try daemon.client()
            let request = input.request(session)
            let (time, calls, health) = try probe.watch { try Self.have(input, request, client, approver) }
            let slowest = max(calls.quantile(1), health.quantile(1))
            worst.add(slowest)
            findings.add("\(input.name): slowest of others", slowest / 1e6, .milliseconds)
            findings.add("\(input.name): its own answer", Double(time) / 1e6, .milliseconds)
        }
        findings.check("slowest of others, whatever the input", worst.quantile(1) / 1e6, .atMost(20), .milliseconds)
        // The last one's values are freed beside the loop.
        Clock.sleep(milliseconds: 500)
        findings.check(
            "memory kept of all twelve", (daemon.resident - before) / 1_048_576, .none, .megabytes)
        daemon.stop()
        return findings
    }

    private static func have(
        _ input: Input, _ request: [UInt8], _ client: HTTPClient, _ approver: Approver
    ) throws {
        try client.socket.send(request)
        if input.isHeld {
            let card = try approver.event("event/pty_permission")
            guard let id = card["request_id"]?.stringValue else { throw BenchError("a card without an id") }
            _ = try approver.reply(to: try approver.decide(id, "deny"))
        }
        _ = try client.response()
    }

    // MARK: The twelve

    private static func inputs(bytes: Int) -> [Input] {
        let arrays = "[" + String(repeating: "[],", count: bytes / 3) + "0]"
        let members = "{" + (0..<bytes / 10).map { "\"\($0)\":0," }.joined() + "\"x\":0}"
        let objects = "[" + String(repeating: #"{"a":{}},"#, count: bytes / 9) + "0]"
        let text = "\"" + String(repeating: "x", count: bytes) + "\""
        let hidden = "\"" + String(repeating: "\u{202E}", count: bytes / 3) + "\""
        let calls = "[" + String(repeating: #"{"tool_name":"Bash","tool_use_id":"t"},"#, count: bytes / 40) + "0]"
        return [
            tool("nested arrays", "mcp__a__b", #"{"x":\#(arrays)}"#),
            tool("small members", "mcp__a__b", members),
            tool("one text", "Write", #"{"file_path":"/tmp/x","content":\#(text)}"#),
            tool("hidden characters", "Write", #"{"file_path":"/tmp/x","content":\#(hidden)}"#),
            told("a response of arrays", "PostToolUse", #""tool_response":\#(arrays)"#),
            told("a batch of calls", "PostToolBatch", #""tool_calls":\#(calls)"#),
            bash("a path of 100,000 components", "touch " + String(repeating: "a/", count: 100_000)),
            bash("braces", "touch " + String(repeating: "{a,b}", count: 2000)),
            bash("globs", "touch /" + String(repeating: "*/", count: 2000)),
            bash("commands", String(repeating: "touch a;", count: bytes / 8)),
            bash(
                "substitutions", String(repeating: "$(", count: 3000) + "touch a" + String(repeating: ")", count: 3000)),
            Input(name: "a message of small objects", isHeld: false) { _ in
                HTTPText.post(
                    "/rpc",
                    Array(
                        #"{"jsonrpc":"2.0","id":1,"method":"permission/respond","params":{"request_id":\#(objects)}}"#
                            .utf8))
            },
        ]
    }

    private static func tool(_ name: String, _ tool: String, _ input: String) -> Input {
        Input(name: name, isHeld: true) { session in
            hook("PreToolUse", session, #""tool_name":"\#(tool)","tool_use_id":"\#(session)","tool_input":\#(input)"#)
        }
    }

    private static func bash(_ name: String, _ line: String) -> Input {
        tool(name, "Bash", JSON.object(["command": .string(line)]).serialized())
    }

    private static func told(_ name: String, _ event: String, _ member: String) -> Input {
        Input(name: name, isHeld: false) { session in
            hook(event, session, #""tool_name":"Bash","tool_use_id":"\#(session)","tool_input":{},\#(member)"#)
        }
    }

    private static func hook(_ event: String, _ session: String, _ members: String) -> [UInt8] {
        let text =
            #"{"session_id":"\#(session)","hook_event_name":"\#(event)","cwd":"/tmp","permission_mode":"default",\#(members)}"#
        return HTTPText.post("/hooks/claude", Array(text.utf8))
    }
}
