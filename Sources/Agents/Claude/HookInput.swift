package import Core
package import OrderedJSON

/// The reason for which a hook's input cannot be used; the message is for the sender.
package struct HookInputError: Error, Sendable, Hashable {
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Parses a hook's input in Claude Code's form (2.1.x), after translation from another agent's: one JSON object, the
/// same on a command's stdin and in an HTTP hook's body.
///
/// Only `session_id` is required. Any other field that is missing or of another type counts as not sent, and stays
/// unchanged in `raw`.
extension AgentEvent {
    /// - Parameter allowed: The events that it may report; if it names another event, it is taken for the first of these.
    package init(hookInput bytes: [UInt8], among allowed: [HookEventName] = []) throws(HookInputError) {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON(parsing: bytes, ids: AgentInput.ids)
        } catch {
            throw HookInputError("the hook input is not JSON: \(error)")
        }
        try self.init(hookInput: json, among: allowed)
    }

    package init(hookInput json: JSON, among allowed: [HookEventName] = []) throws(HookInputError) {
        guard case .object(let whole) = json else {
            throw HookInputError("the hook input must be a JSON object, as Claude Code sends it")
        }
        let sent = Self.cuttingMarks(whole)
        let raw = try AgentInput.neutral(sent)
        guard let sessionID = raw["session_id"]?.idValue, !sessionID.isEmpty else {
            throw HookInputError(#"the hook input needs "session_id", a string that is not empty"#)
        }
        for (name, longest) in Self.longest where (raw[name]?.stringValue?.utf8.count ?? 0) > longest {
            throw HookInputError(#""\#(name)" is longer than \#(longest) bytes"#)
        }
        let name = HookEventName(raw["hook_event_name"]?.stringValue ?? "")
        self.init(
            name: allowed.isEmpty || allowed.contains(name) ? name : allowed[0], sessionID: sessionID,
            cwd: raw["cwd"]?.stringValue ?? "",
            promptID: raw["prompt_id"]?.idValue,
            permissionMode: PermissionMode(raw["permission_mode"]?.stringValue ?? ""),
            agentID: raw["agent_id"]?.idValue, agentType: raw["agent_type"]?.stringValue,
            tool: ToolCall(hookInput: raw), raw: raw)
    }

    /// Leaves out marks that would take long to compare. The call's own input stays whole, for a person is shown all of it;
    /// no rule allows it.
    private static func cuttingMarks(_ sent: JSONObject) -> JSONObject {
        let isCut = sent.contains { key, value in !isInput(key) && (key.hasManyMarks || value.hasManyMarks) }
        guard isCut else { return sent }
        return JSONObject(sent.map { isInput($0) ? ($0, $1) : ($0.cuttingMarks(), $1.cuttingMarks()) })
    }

    /// True for the name of a call's input, Claude Code's or Grok's.
    private static func isInput(_ key: String) -> Bool {
        ["tool_input", "toolInput"].contains { key.hasSameBytes(as: $0) }
    }

    /// - Parameter raw: The whole object that was sent.
    package init(
        name: HookEventName, sessionID: String, cwd: String = "", promptID: String? = nil,
        permissionMode: PermissionMode = .unknown(""), agentID: String? = nil, agentType: String? = nil,
        tool: ToolCall? = nil, raw: JSONObject = JSONObject()
    ) {
        self.init(
            name: name, sessionID: sessionID, cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID, agentType: agentType, tool: tool, details: Details(hookInput: raw, of: name), sent: raw)
    }

    /// Bytes, far above any real value. These values are stored and sent many times.
    private static let longest = [
        ("agent_id", 256), ("agent_type", 256), ("cwd", 4096), ("hook_event_name", 256), ("permission_mode", 256),
        ("prompt_id", 256),
        ("session_id", 256), ("tool_name", 256), ("tool_use_id", 256), ("transcript_path", 4096),
    ]
}

extension AgentEvent.Details {
    fileprivate init(hookInput raw: JSONObject, of name: HookEventName) {
        self.init()
        isInputUncertain = raw["tool_input_truncated"] == true || raw["tool_input"]?.hasManyMarks == true
        isReport = raw["prompt"]?.stringValue?.hasPrefix("<task-notification>") == true
        milliseconds = raw["duration_ms"]?.intValue.map(Int64.init)
        notice = raw["notification_type"]?.stringValue.flatMap { Self.notices[$0] }
        reason = raw["reason"]?.stringValue.map(Self.short)
        startSource = raw["source"].map(Self.short) ?? ""
        title = raw["session_title"]?.stringValue.flatMap(CallContext.beginning)
        transcriptPath = raw["transcript_path"]?.stringValue ?? ""
        switch name {
        case .postToolBatch: batch = Self.calls(raw["tool_calls"])
        case .postToolUse, .postToolUseFailure: response = KeptJSON(raw["tool_response"] ?? raw["error"] ?? .null)
        case .stop, .stopFailure: lastWords = raw["last_assistant_message"]?.stringValue.flatMap(CallContext.end)
        case .userPromptSubmit: prompt = raw["prompt"]?.stringValue.flatMap(CallContext.beginning)
        default: break
        }
    }

    private static let notices = ["idle_prompt": AgentEvent.Notice.idle, "permission_prompt": .permission]

    /// Cuts to 4096 bytes. No real value is longer; a sender must not make us store more.
    private static func short(_ text: String) -> String {
        text.utf8.count <= 4096 ? text : String(decoding: text.utf8.prefix(4096), as: UTF8.self)
    }

    private static func short(_ value: JSON) -> JSON {
        switch value {
        case .string(let text): .string(short(text))
        case .array, .object: ""
        default: value
        }
    }

    /// The first calls of a batch, at most as many as are remembered of a session; the others are ignored.
    private static func calls(_ list: JSON?) -> [ToolCall] {
        (list?.arrayValue ?? []).prefix(CallLedger.limit).compactMap { call in
            guard let useID = call["tool_use_id"]?.idValue, let name = call["tool_name"]?.stringValue else {
                return nil
            }
            let tool = ClaudeTools.tool(named: name)
            return ToolCall(tool: tool, input: call["tool_input"] ?? .null, useID: useID).condensed()
        }
    }
}

extension ToolCall {
    /// Nil if the event names no tool.
    fileprivate init?(hookInput raw: JSONObject) {
        guard let name = raw["tool_name"]?.stringValue, !name.isEmpty else { return nil }
        let useID = raw["tool_use_id"]?.idValue
        self.init(
            tool: ClaudeTools.tool(named: name), input: raw["tool_input"] ?? [:],
            useID: useID?.isEmpty == true ? nil : useID)
    }
}
