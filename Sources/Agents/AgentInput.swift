import Core
import OrderedJSON

/// Finds the agent that sent a hook's input by the input's shape (a project's settings can set any variable), and translates the input into Claude Code's names,
/// which this project uses. Other agents' names occur only below `Agents`.
enum AgentInput {
    static func neutral(_ raw: JSONObject) throws(HookInputError) -> JSONObject {
        if raw["hookEventName"]?.stringValue != nil, raw["hook_event_name"] == nil { return try GrokInput.neutral(raw) }
        if CursorInput.matches(raw) { return try CursorInput.neutral(raw) }
        // Claude Code's ids are UUIDs. Without this check a hook in Claude's form could name another agent's session,
        // and use its rules.
        if let id = raw["session_id"]?.idValue, Agent(sessionID: id) != .claude {
            throw HookInputError(#""session_id" begins with the name of another agent"#)
        }
        return raw
    }

    /// The members that are identifiers, in the names of all agents.
    static let ids = JSONIDs(
        ["agent_id", "conversation_id", "prompt_id", "session_id", "sessionId", "tool_use_id", "toolUseId"],
        in: [("tool_calls", JSONIDs(["tool_use_id"]))])

    /// The session's id with the agent's name, made from the agent's own id; throws if the agent sent none.
    static func sessionID(_ own: JSON?, of agent: Agent, named name: String) throws(HookInputError) -> JSON {
        guard let own = own?.idValue, !own.isEmpty else {
            throw HookInputError(#"the hook input of \#(agent.name) needs "\#(name)", a string that is not empty"#)
        }
        return .id(agent.sessionID(own))
    }
}
