import Core
import OrderedJSON
import Platform

/// A request that Claude Code makes of the program that started it.
struct ClaudeQuestion {
    private let line: JSON
    private let stream: ClaudeStream

    init(_ line: JSON, of stream: ClaudeStream) {
        self.line = line
        self.stream = stream
    }

    /// A question that cannot be read is refused, which denies the call.
    var event: ChildEvent {
        guard let id = ClaudeStream.id(line["request_id"]) else { return .other }
        let request: ChildRequest? =
            switch line["request"]?["subtype"]?.stringValue {
            case "can_use_tool": permission(id)
            case "hook_callback": callback(id)
            default: nil
            }
        return request.map { .asked($0) } ?? .unsupported(request: id)
    }

    /// Reads the question as the hook beside Claude Code's own dialog: that dialog would ask the same.
    private func permission(_ id: String) -> ChildRequest? {
        guard let request = line["request"], let name = request["tool_name"], let input = request["input"] else {
            return nil
        }
        var hook: JSONObject = [
            "session_id": .string(stream.agentID),
            "cwd": .string(stream.directory(of: request["tool_use_id"]?.stringValue)),
            "permission_mode": .string(stream.mode.spelling), "hook_event_name": "PermissionRequest",
            "tool_name": name, "tool_input": input,
        ]
        for name in ["agent_id", "tool_use_id"] { hook[name] = request[name] }
        guard let event = try? AgentEvent(hookInput: .object(hook), among: [.permissionRequest]), event.tool != nil
        else { return nil }
        return ChildRequest(
            id: id, kind: .permission, event: kept(event),
            reason: request["decision_reason"]?.stringValue.flatMap(CallContext.beginning),
            suggestions: request["permission_suggestions"].map { KeptJSON($0) })
    }

    /// The call belongs to this conversation, whatever session its input names: the rules of another would answer it.
    private func callback(_ id: String) -> ChildRequest? {
        guard var hook = line["request"]?["input"]?.objectValue else { return nil }
        hook["session_id"] = .string(stream.agentID)
        guard let event = try? AgentEvent(hookInput: .object(hook), among: [.preToolUse]), event.tool != nil,
            event.sessionID.hasSameBytes(as: stream.agentID)
        else { return nil }
        return ChildRequest(id: id, kind: .callback, event: kept(event))
    }

    private func kept(_ event: AgentEvent) -> AgentEvent {
        event.size > WorkLane.bytesAtOnce ? event.condensed() : event
    }
}
