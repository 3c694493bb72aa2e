import Core
import OrderedJSON

/// Translates Grok's hook input (measured on 0.2.111, which reads the hooks of `~/.claude/settings.json`): its members
/// are Claude Code's in camelCase, its tools are its own.
enum GrokInput {
    static func neutral(_ raw: JSONObject) throws(HookInputError) -> JSONObject {
        var input: [(String, JSON)] = []
        for (key, value) in raw { input.append((keys[key] ?? key, value)) }
        var neutral = JSONObject(input)
        neutral["session_id"] = try AgentInput.sessionID(raw["sessionId"], of: .grok, named: "sessionId")
        let event = raw["hookEventName"]?.stringValue ?? ""
        neutral["hook_event_name"] = .string(events[event] ?? event)
        if let prompt = raw["prompt"]?.stringValue { neutral["prompt"] = .string(unwrapped(prompt)) }
        if let name = raw["toolName"]?.stringValue { translate(name, &neutral) }
        return neutral
    }

    private static func translate(_ name: String, _ neutral: inout JSONObject) {
        let tool = GrokTool(name)
        neutral["tool_name"] = .string(tool.name)
        neutral["agent_tool_name"] = .string(name)
        guard case .object(let input)? = neutral["tool_input"] else { return }
        let translated = tool.input(input, cwd: neutral["cwd"]?.stringValue ?? "")
        neutral["tool_input"] = .object(translated)
        // Only Grok knows which of two members with one meaning it takes.
        if translated.count < input.count { neutral["tool_input_truncated"] = true }
    }

    /// The text that the user typed, without the `<user_query>` tags around it.
    private static func unwrapped(_ prompt: String) -> String {
        let (open, close) = ("<user_query>\n", "\n</user_query>")
        guard prompt.hasPrefix(open), prompt.hasSuffix(close) else { return prompt }
        return String(prompt.dropFirst(open.count).dropLast(close.count))
    }

    /// The prompt's id is left out, because calls do not carry it and so nothing could be matched by it.
    private static let keys = [
        "hookEventName": "hook_event_name", "sessionId": "session_id", "transcriptPath": "transcript_path",
        "permissionMode": "permission_mode", "toolName": "tool_name", "toolUseId": "tool_use_id",
        "toolInput": "tool_input", "toolInputTruncated": "tool_input_truncated", "toolResult": "tool_response",
        "subagentType": "agent_type", "notificationType": "notification_type", "stopHookActive": "stop_hook_active",
        "lastAssistantMessage": "last_assistant_message", "backgroundTasks": "background_tasks",
        "sessionCrons": "session_crons",
    ]

    private static let events = [
        "notification": "Notification", "permission_denied": "PermissionDenied", "post_tool_use": "PostToolUse",
        "post_tool_use_failure": "PostToolUseFailure", "pre_tool_use": "PreToolUse", "session_end": "SessionEnd",
        "session_start": "SessionStart", "stop": "Stop", "stop_failure": "StopFailure",
        "subagent_stop": "SubagentStop", "user_prompt_submit": "UserPromptSubmit",
    ]
}
