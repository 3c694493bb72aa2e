package import Core
import OrderedJSON
package import Wire

/// Who sent a hook's input, told by its shape, and the input in the words this project uses: Claude Code's. Nobody else
/// knows another agent's names.
package enum AgentInput {
    /// - Parameter hint: What the sender's environment says; it counts only where the shape leaves it open.
    static func neutral(_ raw: JSONObject, hint: Agent?) throws(HookInputError) -> JSONObject {
        if raw["hookEventName"]?.stringValue != nil, raw["hook_event_name"] == nil { return try GrokInput.neutral(raw) }
        if CursorInput.matches(raw, hint: hint) { return try CursorInput.neutral(raw) }
        // Claude Code's ids are UUIDs. Another agent's session, with its rules, cannot be named through this form.
        if let id = raw["session_id"]?.idValue, Agent(sessionID: id) != .claude {
            throw HookInputError(#""session_id" begins with the name of another agent"#)
        }
        return raw
    }

    /// What the agents name: theirs, and Claude Code's.
    static let ids = JSONIDs(
        ["agent_id", "conversation_id", "prompt_id", "session_id", "sessionId", "tool_use_id", "toolUseId"],
        in: [("tool_calls", JSONIDs(["tool_use_id"]))])

    /// What the relay says of the environment its hook ran in.
    package static func hint(_ fields: HTTPHeaders) -> Agent? {
        if fields["Cdev-Grok-Event"] != nil { return .grok }
        return fields["Cdev-Cursor-Version"] != nil ? .cursor : nil
    }

    /// The agent's own id of the session as ours; nothing where it sent none.
    static func sessionID(_ own: JSON?, of agent: Agent, named name: String) throws(HookInputError) -> JSON {
        guard let own = own?.idValue, !own.isEmpty else {
            throw HookInputError(#"the hook input of \#(agent.name) needs "\#(name)", a string that is not empty"#)
        }
        return .id(agent.sessionID(own))
    }
}
