import OrderedJSON

/// What Claude Code writes to a hook's stdin.
enum HookInput {
    /// A Bash call that a session rule for `npm test` covers.
    static let coveredCommand = "npm test"

    /// A PreToolUse call, brought to a size by its description.
    static func bash(
        _ command: String = coveredCommand, session: String, id: String, bytes: Int = 1024, cwd: String = "/tmp"
    ) -> [UInt8] {
        let bare = preToolUse(command, session, id, cwd, padding: 0)
        return preToolUse(command, session, id, cwd, padding: max(0, bytes - bare.count))
    }

    private static func preToolUse(
        _ command: String, _ session: String, _ id: String, _ cwd: String, padding: Int
    ) -> [UInt8] {
        event(
            "PreToolUse", session: session, cwd: cwd,
            [
                ("permission_mode", "default"), ("tool_name", "Bash"),
                (
                    "tool_input",
                    ["command": .string(command), "description": .string(String(repeating: "d", count: padding))]
                ),
                ("tool_use_id", .string(id)),
            ])
    }

    static func event(
        _ name: String, session: String, cwd: String = "/tmp", _ members: [(String, JSON)] = []
    ) -> [UInt8] {
        let common: [(String, JSON)] = [
            ("session_id", .string(session)), ("transcript_path", "/tmp/none.jsonl"), ("cwd", .string(cwd)),
            ("hook_event_name", .string(name)),
        ]
        var bytes: [UInt8] = []
        JSON.object(JSONObject(common + members)).write(into: &bytes)
        return bytes
    }
}
