import Core
import OrderedJSON

/// Cursor's hook input, where it runs Claude Code's hooks (engine of cursor-sdk 1.1.0): event names begin with a small
/// letter, and a conversation has an id. cdev does not hold Cursor's calls.
enum CursorInput {
    static func matches(_ raw: JSONObject, hint: Agent?) -> Bool {
        let first = raw["hook_event_name"]?.stringValue?.utf8.first ?? 0
        guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return raw["conversation_id"]?.stringValue != nil || hint == .cursor
    }

    static func neutral(_ raw: JSONObject) throws(HookInputError) -> JSONObject {
        var input = raw
        input["session_id"] = try AgentInput.sessionID(
            raw["conversation_id"] ?? raw["session_id"], of: .cursor, named: "conversation_id")
        return input
    }
}
