import Testing

/// The event that the relay finds in its input, observed by the refusal that `--on-failure block` prints.
@Suite(.timeLimit(.minutes(1)))
struct EventTests {
    static let padding = String(repeating: #"\"hook_event_name\":\"PermissionRequest\" "#, count: 20_000)

    @Test(arguments: [
        "",
        "{",
        "null",
        #"{"hook_event_name":"PreToolUse"}"#,
        #" { "a" : 1 , "hook_event_name" : "PreToolUse" "#,
        #"{"tool_input":{"hook_event_name":"PermissionRequest"},"hook_event_name":"PreToolUse"}"#,
        #"{"tool_input":[{"hook_event_name":"PermissionRequest"}],"hook_event_name":"PreToolUse"}"#,
        #"{"tool_input":{"hook_event_name":"PermissionRequest"}}"#,
        #"[{"hook_event_name":"PermissionRequest"}]"#,
        #"{"cwd":"\"hook_event_name\":\"PermissionRequest\"","hook_event_name":"PreToolUse"}"#,
        #"{"cwd":"a\\","hook_event_name":"PreToolUse"}"#,
        #"{"cwd":"hook_event_name","PermissionRequest":"hook_event_name"}"#,
        #"{"a":["hook_event_name","PermissionRequest"]}"#,
        #"{"hook_event_name":["PermissionRequest"]}"#,
        #"{"hook_event_name":null,"x":"PermissionRequest"}"#,
        #"{"hook_event_name":"}"#,
        #"{"hook_event_name":""}"#,
        #"{"a":1}{"hook_event_name":"PermissionRequest"}"#,
        #"{"xhook_event_name":"PermissionRequest"}"#,
    ])
    func refused(_ input: String) async throws {
        try expectRefusal(await block(input))
    }

    @Test func refusedAfterMuchText() async throws {
        try expectRefusal(await block(#"{"cwd":""# + Self.padding + #"","hook_event_name":"PreToolUse"}"#))
    }

    @Test(arguments: [
        #"{"hook_event_name":"PermissionRequest"}"#,
        "\n{\t\"a\" : {\"b\":[1,{}]} ,\r\n \"hook_event_name\" : \"PermissionRequest\" , ",
        #"{"tool_input":{"hook_event_name":"PreToolUse"},"hook_event_name":"PermissionRequest"}"#,
        #"{"cwd":"\"hook_event_name\":\"PreToolUse\"","hook_event_name":"PermissionRequest"}"#,
        #"{"hook_event_name":"PostToolUse"}"#,
        #"{"hook_event_name":"Stop"}"#,
        #"{"hookEventName":"post_tool_use"}"#,
        #"{"hook_event_name":"preToolUse","conversation_id":"c"}"#,
    ])
    func noOpinion(_ input: String) async throws {
        let outcome = await block(input)
        #expect(outcome.output == "{}")
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        #"{"hookEventName":"pre_tool_use","sessionId":"s"}"#,
        #"{"sessionId":"s","toolInput":{"hook_event_name":"PermissionRequest"},"hookEventName":"pre_tool_use"}"#,
        #"{"hookEventName" : "pre_tool_use", "toolInput": {"hook_event_name":"PreToolUse"}"#,
    ])
    func refusedForGrok(_ input: String) async throws {
        try expectGroksRefusal(await block(input))
    }

    /// The input decides; Grok's environment variable counts only where the input has no event.
    @Test func groksEnvironmentHelps() async throws {
        let grok = ["GROK_HOOK_EVENT": "pre_tool_use", "GROK_SESSION_ID": "s"]
        try expectGroksRefusal(await block("", grok))
        #expect(await block("", ["GROK_HOOK_EVENT": "stop"]).output == "{}")
        try expectRefusal(await block(#"{"hook_event_name":"PreToolUse"}"#, grok))
        try expectRefusal(
            await block(#"{"hook_event_name":"PreToolUse","tool_input":{"hookEventName":"pre_tool_use"}}"#, grok))
    }

    private func block(_ input: String, _ environment: [String: String] = [:]) async -> Outcome {
        await runRelay(
            ["--socket", "/nonexistent/cdev.sock", "--on-failure", "block"], environment: environment, input: input)
    }
}
