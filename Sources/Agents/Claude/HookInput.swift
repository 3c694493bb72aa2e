package import Core
package import OrderedJSON

/// Why the input of a hook cannot be used; the message is for whoever sent it.
package struct HookInputError: Error, Sendable, Hashable {
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A hook's input in Claude Code's form (2.1.x), into which another agent's is put first: one JSON object, the same on a
/// command's stdin and in an HTTP hook's body.
///
/// Only `session_id` is needed. Every other field may be missing or of another type: it then counts as not sent, and
/// stays as it came in `raw`.
extension HookEvent {
    /// - Parameter hint: Which agent's hook it was, as its environment says; counts where the input leaves it open.
    package init(hookInput bytes: [UInt8], hint: Agent? = nil) throws(HookInputError) {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON(parsing: bytes, ids: AgentInput.ids)
        } catch {
            throw HookInputError("the hook input is not JSON: \(error)")
        }
        try self.init(hookInput: json, hint: hint)
    }

    package init(hookInput json: JSON, hint: Agent? = nil) throws(HookInputError) {
        guard case .object(let sent) = json else {
            throw HookInputError("the hook input must be a JSON object, as Claude Code sends it")
        }
        let raw = try AgentInput.neutral(sent, hint: hint)
        guard let sessionID = raw["session_id"]?.idValue, !sessionID.isEmpty else {
            throw HookInputError(#"the hook input needs "session_id", a string that is not empty"#)
        }
        for (name, longest) in Self.longest where (raw[name]?.stringValue?.utf8.count ?? 0) > longest {
            throw HookInputError(#""\#(name)" is longer than \#(longest) bytes"#)
        }
        self.init(
            name: HookEventName(raw["hook_event_name"]?.stringValue ?? ""), sessionID: sessionID,
            cwd: raw["cwd"]?.stringValue ?? "",
            promptID: raw["prompt_id"]?.idValue,
            permissionMode: PermissionMode(raw["permission_mode"]?.stringValue ?? ""),
            agentID: raw["agent_id"]?.idValue, agentType: raw["agent_type"]?.stringValue,
            tool: ToolCall(hookInput: raw), raw: raw)
    }

    /// In bytes, far above anything real: these are kept and sent many times over.
    private static let longest = [
        ("agent_id", 256), ("agent_type", 256), ("cwd", 4096), ("permission_mode", 256), ("prompt_id", 256),
        ("session_id", 256), ("tool_name", 256), ("tool_use_id", 256), ("transcript_path", 4096),
    ]
}

extension ToolCall {
    /// Nil where the event is about no tool.
    fileprivate init?(hookInput raw: JSONObject) {
        guard let name = raw["tool_name"]?.stringValue, !name.isEmpty else { return nil }
        let useID = raw["tool_use_id"]?.idValue
        self.init(name: name, input: raw["tool_input"] ?? [:], useID: useID?.isEmpty == true ? nil : useID)
    }
}
