import Core
import OrderedJSON

/// Cursor's hook input, where it runs Claude Code's hooks (engine of cursor-sdk 1.1.0): event names begin with a small
/// letter, as none of Claude Code's does. cdev does not hold Cursor's calls.
enum CursorInput {
    static func matches(_ raw: JSONObject) -> Bool {
        let first = raw["hook_event_name"]?.stringValue?.utf8.first ?? 0
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    }

    static func neutral(_ raw: JSONObject) throws(HookInputError) -> JSONObject {
        var input = raw
        input["session_id"] = try AgentInput.sessionID(
            raw["conversation_id"] ?? raw["session_id"], of: .cursor, named: "conversation_id")
        return input
    }
}
