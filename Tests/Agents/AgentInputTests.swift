import Agents
import Core
import OrderedJSON
import TestSupport
import Testing

/// What other agents send to Claude Code's hooks, and what they understand.
@Suite struct AgentInputTests {
    /// As Grok 0.2.111 sent it.
    private static func grok(_ members: String) -> [UInt8] {
        Array(
            (#"{"hookEventName":"pre_tool_use","sessionId":"01a2","cwd":"/w","workspaceRoot":"/w","#
                + #""transcriptPath":"/h/.grok/sessions/u.jsonl","permissionMode":"bypassPermissions","# + members + "}")
                .utf8)
    }

    @Test func readsGrok() throws {
        let event = try AgentEvent(
            hookInput: Self.grok(
                #""toolName":"run_terminal_command","toolUseId":"call_A","toolInput":{"command":"touch x","background":true},"toolInputTruncated":false"#
            ))
        #expect(event.agent == .grok && event.sessionID == "grok:01a2" && event.name == .preToolUse)
        #expect(event.cwd == "/w" && event.permissionMode == .bypassPermissions && !event.details.isInputUncertain)
        let input: JSON = ["command": "touch x", "run_in_background": true]
        #expect(event.tool == ToolCall(name: "Bash", input: input, useID: "call_A"))
        #expect(
            event.everything["agent_tool_name"] == "run_terminal_command" && event.everything["workspaceRoot"] == "/w")
        #expect(event.everything["transcript_path"] == "/h/.grok/sessions/u.jsonl")
    }

    static let tools: [(String, JSON, String, JSON)] = [
        ("read_file", ["target_file": "a/b"], "Read", ["file_path": "/w/a/b"]),
        ("search_replace", ["file_path": "/x", "old_string": "a"], "Edit", ["file_path": "/x", "old_string": "a"]),
        ("write", ["file_path": "~/x", "content": ""], "Write", ["file_path": "~/x", "content": ""]),
        ("list_dir", ["target_directory": "."], "LS", ["path": "/w/."]),
        ("monitor", ["command": "tail -f x"], "Bash", ["command": "tail -f x"]),
        ("linear__save_issue", ["title": "t"], "mcp__linear__save_issue", ["title": "t"]),
        ("image_gen", ["prompt": "p"], "image_gen", ["prompt": "p"]),
    ]

    @Test(arguments: tools)
    func knowsGroksTools(_ own: String, _ input: JSON, _ name: String, _ expected: JSON) throws {
        let bytes = Self.grok(#""toolName":"\#(own)","toolUseId":"c","toolInput":\#(input.serialized())"#)
        #expect(try AgentEvent(hookInput: bytes).tool == ToolCall(name: name, input: expected, useID: "c"))
    }

    @Test func readsWhatElseGrokTells() throws {
        func event(_ name: String, _ members: String = "") throws -> AgentEvent {
            let text = #"{"hookEventName":"\#(name)","sessionId":"s","cwd":"/w"\#(members)}"#
            return try AgentEvent(hookInput: Array(text.utf8))
        }
        let known: [(String, HookEventName)] = [
            ("session_start", .sessionStart), ("session_end", .sessionEnd), ("stop", .stop),
            ("stop_failure", .stopFailure), ("user_prompt_submit", .userPromptSubmit),
            ("post_tool_use", .postToolUse), ("post_tool_use_failure", .postToolUseFailure),
            ("notification", .notification), ("permission_denied", .permissionDenied),
            ("subagent_stop", .subagentStop), ("pre_compact", .other("pre_compact")),
        ]
        for (own, name) in known { #expect(try event(own).name == name) }
        let prompt = #","promptId":"p","prompt":"<user_query>\ngo\n</user_query>""#
        #expect(try event("user_prompt_submit", prompt).everything["prompt"] == "go")
        #expect(try event("user_prompt_submit", prompt).promptID == nil)
        #expect(
            try event("notification", #","notificationType":"permission_prompt""#).everything["notification_type"]
                == "permission_prompt")
        let cut =
            #","toolName":"write","toolUseId":"c","toolInput":"{\"file_path\" [truncated]","toolInputTruncated":true"#
        #expect(try event("pre_tool_use", cut).details.isInputUncertain)
    }

    /// Of two members that mean the same, either may be what Grok takes.
    @Test(arguments: [
        (#""target_file":"a""#, false), (#""file_path":"b""#, false), (#""target_file":"a","file_path":"b""#, true),
        (#""file_path":"b","target_file":"a""#, true),
    ])
    func membersOfGrokThatMeanTheSameMakeTheInputUncertain(_ input: String, _ isUncertain: Bool) throws {
        let bytes = Self.grok(#""toolName":"read_file","toolUseId":"c","toolInput":{\#(input)}"#)
        #expect(try AgentEvent(hookInput: bytes).details.isInputUncertain == isUncertain)
    }

    @Test func readsCursor() throws {
        let input =
            #"{"hook_event_name":"preToolUse","conversation_id":"c1","session_id":"c1","tool_name":"Shell","tool_input":{},"tool_use_id":"t"}"#
        let event = try AgentEvent(hookInput: Array(input.utf8))
        #expect(event.agent == .cursor && event.sessionID == "cursor:c1" && !event.name.isBlocking)
        let other = Array(#"{"hook_event_name":"preToolUse","session_id":"c1"}"#.utf8)
        #expect(try AgentEvent(hookInput: other).sessionID == "cursor:c1")
    }

    /// The shape decides; and no form names a session of another's.
    @Test func anInputOfClaudesStaysClaudes() throws {
        let claude =
            #"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"hookEventName":"pre_tool_use"}}"#
        #expect(try AgentEvent(hookInput: Array(claude.utf8)).agent == .claude)
        let both = #"{"hookEventName":"pre_tool_use","sessionId":"g","session_id":"s","hook_event_name":"PreToolUse"}"#
        #expect(try AgentEvent(hookInput: Array(both.utf8)).agent == .claude)
        for id in ["grok:01a2", "cursor:x"] {
            let input = #"{"session_id":"\#(id)","hook_event_name":"PreToolUse"}"#
            #expect(throws: HookInputError.self) { try AgentEvent(hookInput: Array(input.utf8)) }
        }
        for input in [#"{"hookEventName":"pre_tool_use"}"#, #"{"hookEventName":"pre_tool_use","sessionId":""}"#] {
            #expect(throws: HookInputError.self) { try AgentEvent(hookInput: Array(input.utf8)) }
        }
    }

    static let answers: [(HookAnswer, String)] = [
        (.allow(reason: "r", updatedInput: nil), #"{"decision":"allow"}"#),
        (.deny(message: "no"), #"{"decision":"deny","reason":"cdev: no"}"#),
        (.ask(reason: "why"), #"{"decision":"deny","reason":"cdev: why"}"#), (.pass, "{}"),
    ]

    @Test(arguments: answers)
    func speaksGrok(_ answer: HookAnswer, _ expected: String) {
        let call = AgentEvent(name: .preToolUse, sessionID: "grok:s")
        #expect(answer.body(for: call).serialized() == expected)
        #expect(answer.body(for: AgentEvent(name: .stop, sessionID: "grok:s")) == [:])
        #expect(answer.body(for: AgentEvent(name: .preToolUse, sessionID: "cursor:s")) == [:])
        #expect(answer.body(for: AgentEvent(name: .preToolUse, sessionID: "s")) == answer.body(for: .preToolUse))
    }
}
