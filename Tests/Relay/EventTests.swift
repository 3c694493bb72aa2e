import Testing

/// Which event the input tells of, seen from how `--on-failure block` answers it.
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
    ])
    func noOpinion(_ input: String) async throws {
        let outcome = await block(input)
        #expect(outcome.output == "{}")
        #expect(outcome.status == 0)
    }

    private func block(_ input: String) async -> Outcome {
        await runRelay(["--socket", "/nonexistent/cdev.sock", "--on-failure", "block"], input: input)
    }
}
