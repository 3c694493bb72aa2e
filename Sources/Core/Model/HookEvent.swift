package import OrderedJSON
import Text

/// One call of a Claude Code hook: the fields every decision needs, and the whole input beside them.
package struct HookEvent: Sendable, Hashable {
    package let name: HookEventName
    package let sessionID: String
    /// The directory Claude works in at this moment; `""` where the client sent none.
    package let cwd: String
    /// Joins everything between two prompts of the user; absent before the first.
    package let promptID: String?
    package let permissionMode: PermissionMode
    /// Present only inside a subagent.
    package let agentID: String?
    package let agentType: String?
    package let tool: ToolCall?
    /// What Claude Code sent, as it sent it; of a large input only the members that are looked at here.
    package let raw: JSONObject
    /// All of a large input, for those who show it.
    private let large: KeptJSON?
    /// What a tool gave back, or its error; null where there is none.
    package let response: KeptJSON
    /// The calls that a PostToolBatch tells of.
    package let batch: [ToolCall]

    package init(
        name: HookEventName, sessionID: String, cwd: String = "", promptID: String? = nil,
        permissionMode: PermissionMode = .unknown(""), agentID: String? = nil, agentType: String? = nil,
        tool: ToolCall? = nil, raw: JSONObject = JSONObject()
    ) {
        self.init(
            name: name, sessionID: sessionID, cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID, agentType: agentType, tool: tool, looked: raw, large: nil,
            response: Self.response(in: raw, name), batch: Self.batch(of: raw, name))
    }

    private init(
        name: HookEventName, sessionID: String, cwd: String, promptID: String?, permissionMode: PermissionMode,
        agentID: String?, agentType: String?, tool: ToolCall?, looked raw: JSONObject, large: KeptJSON?,
        response: KeptJSON, batch: [ToolCall]
    ) {
        self.name = name
        self.sessionID = sessionID
        self.cwd = cwd
        self.promptID = promptID
        self.permissionMode = permissionMode
        self.agentID = agentID
        self.agentType = agentType
        self.tool = tool
        self.raw = raw
        self.large = large
        self.response = response
        self.batch = batch
    }

    /// Everything Claude Code sent. Takes as long as parsing it, where it was large.
    package var everything: JSONObject { large?.value.objectValue ?? raw }

    /// `everything` as JSON text; that of a large input is not parsed for it.
    package var everythingText: String { large?.text ?? JSON.object(raw).serialized() }

    /// The ids under the names they came by; those of a large input are as they came only here.
    package var ids: [(name: String, id: String?)] {
        [("agent_id", agentID), ("prompt_id", promptID), ("tool_use_id", tool?.useID)].filter { $0.id != nil }
    }

    /// About how many bytes there are beside the small fields.
    package var size: Int { (large?.size ?? 0) + (tool?.kept.size ?? 0) + response.size }

    /// The same input as another event.
    package func renamed(_ name: HookEventName) -> HookEvent {
        HookEvent(
            name: name, sessionID: sessionID, cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID, agentType: agentType, tool: tool, looked: raw, large: large,
            response: name == self.name ? response : Self.response(in: raw, name),
            batch: name == self.name ? batch : Self.batch(of: raw, name))
    }

    /// The same event with its values as texts, and the few members that are looked at beside them: whoever handles it
    /// then never walks through it. Made where time does not count.
    package func condensed() -> HookEvent {
        HookEvent(
            name: name, sessionID: sessionID, cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID, agentType: agentType, tool: tool?.condensed(), looked: Self.looked(at: raw),
            large: Self.isShown(name) ? KeptJSON(.object(raw)) : nil, response: response, batch: batch)
    }

    /// Whether approvers see all of such an event; of a tool that has ended they see input and response.
    private static func isShown(_ name: HookEventName) -> Bool {
        switch name {
        case .postToolBatch, .postToolUse, .postToolUseFailure: false
        default: true
        }
    }

    /// Members that the broker asks for, none of them longer than anything real.
    private static func looked(at raw: JSONObject) -> JSONObject {
        let names = [
            "duration_ms", "notification_type", "prompt", "reason", "source", "tool_input_truncated", "transcript_path",
        ]
        return JSONObject(
            distinct: names.compactMap { name in
                switch raw[name] {
                case .string(let text)?: (name, .string(String(decoding: text.utf8.prefix(4096), as: UTF8.self)))
                case .number(let number)?: (name, .number(number))
                case .bool(let value)?: (name, .bool(value))
                default: nil
                }
            })
    }

    private static func response(in raw: JSONObject, _ name: HookEventName) -> KeptJSON {
        guard name == .postToolUse || name == .postToolUseFailure else { return KeptJSON(.null) }
        return KeptJSON(raw["tool_response"] ?? raw["error"] ?? .null)
    }

    /// As many as are remembered of a session; what else a list names is not looked for.
    private static func batch(of raw: JSONObject, _ name: HookEventName) -> [ToolCall] {
        guard name == .postToolBatch else { return [] }
        return (raw["tool_calls"]?.arrayValue ?? []).prefix(CallLedger.limit).compactMap { call in
            guard let useID = call["tool_use_id"]?.idValue, let name = call["tool_name"]?.stringValue else {
                return nil
            }
            return ToolCall(name: name, input: call["tool_input"] ?? .null, useID: useID).condensed()
        }
    }
}

/// The tool, its input and, but for PermissionRequest, the id Claude gave the call.
package struct ToolCall: Sendable, Hashable {
    package let name: String
    /// The object Claude sends; anything else is taken as it is and never matched by a rule.
    package let kept: KeptJSON
    package let useID: String?
    private let parsed: JSON?
    private let summary: ShortInput?

    package init(name: String, input: JSON, useID: String?) {
        self.init(name: name, kept: KeptJSON(input), useID: useID, parsed: input)
    }

    package init(name: String, kept: KeptJSON, useID: String?) {
        self.init(name: name, kept: kept, useID: useID, parsed: nil)
    }

    private init(name: String, kept: KeptJSON, useID: String?, parsed: JSON?, summary: ShortInput? = nil) {
        self.name = name
        self.kept = kept
        self.useID = useID
        self.parsed = parsed
        self.summary = summary
    }

    /// Takes as long as parsing it, where it is kept as its text.
    package var input: JSON { parsed ?? kept.value }

    /// What a history keeps of the input.
    var short: ShortInput { summary ?? input.shortened() }

    /// The same call without the parsed form of a large input.
    func condensed() -> ToolCall {
        ToolCall(name: name, kept: kept, useID: useID, parsed: nil, summary: short)
    }

    /// The same call under another id.
    func named(_ useID: String?) -> ToolCall {
        ToolCall(name: name, kept: kept, useID: useID, parsed: parsed, summary: summary)
    }

    package static func == (left: ToolCall, right: ToolCall) -> Bool {
        left.name == right.name && left.useID == right.useID && left.kept == right.kept
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(useID)
        hasher.combine(kept)
    }
}

/// The events we ask for; every other name is carried as it came.
package enum HookEventName: Sendable, Hashable {
    case notification, permissionDenied, permissionRequest, postToolBatch, postToolUse, postToolUseFailure, preToolUse
    case sessionEnd, sessionStart, stop, stopFailure, subagentStop, userPromptSubmit
    case other(String)

    package init(_ spelling: String) {
        self = Self.known.first { $0.spelling == spelling } ?? .other(spelling)
    }

    package var spelling: String {
        switch self {
        case .notification: "Notification"
        case .permissionDenied: "PermissionDenied"
        case .permissionRequest: "PermissionRequest"
        case .postToolBatch: "PostToolBatch"
        case .postToolUse: "PostToolUse"
        case .postToolUseFailure: "PostToolUseFailure"
        case .preToolUse: "PreToolUse"
        case .sessionEnd: "SessionEnd"
        case .sessionStart: "SessionStart"
        case .stop: "Stop"
        case .stopFailure: "StopFailure"
        case .subagentStop: "SubagentStop"
        case .userPromptSubmit: "UserPromptSubmit"
        case .other(let spelling): spelling
        }
    }

    /// The events whose answer Claude waits for.
    package var isBlocking: Bool {
        self == .preToolUse || self == .permissionRequest
    }

    package static let known: [HookEventName] = [
        .notification, .permissionDenied, .permissionRequest, .postToolBatch, .postToolUse, .postToolUseFailure,
        .preToolUse, .sessionEnd, .sessionStart, .stop, .stopFailure, .subagentStop, .userPromptSubmit,
    ]
}

/// `permission_mode` of the hook input; the flag `manual` is spelled `default` there (measured on 2.1.327).
package enum PermissionMode: Sendable, Hashable {
    case acceptEdits, auto, bypassPermissions, `default`, dontAsk, plan
    case unknown(String)

    package init(_ spelling: String) {
        switch spelling {
        case "acceptEdits": self = .acceptEdits
        case "auto": self = .auto
        case "bypassPermissions", "dangerouslySkipPermissions": self = .bypassPermissions
        case "default": self = .default
        case "dontAsk": self = .dontAsk
        case "plan": self = .plan
        default: self = .unknown(spelling)
        }
    }

    package var spelling: String {
        switch self {
        case .acceptEdits: "acceptEdits"
        case .auto: "auto"
        case .bypassPermissions: "bypassPermissions"
        case .default: "default"
        case .dontAsk: "dontAsk"
        case .plan: "plan"
        case .unknown(let spelling): spelling
        }
    }
}
