package import OrderedJSON

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
    /// Everything Claude Code sent, as it sent it.
    package let raw: JSONObject

    package init(
        name: HookEventName, sessionID: String, cwd: String = "", promptID: String? = nil,
        permissionMode: PermissionMode = .unknown(""), agentID: String? = nil, agentType: String? = nil,
        tool: ToolCall? = nil, raw: JSONObject = JSONObject()
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
    }
}

/// The tool, its input and, but for PermissionRequest, the id Claude gave the call.
package struct ToolCall: Sendable, Hashable {
    package let name: String
    /// The object Claude sends; anything else is taken as it is and never matched by a rule.
    package let input: JSON
    package let useID: String?

    package init(name: String, input: JSON, useID: String?) {
        self.name = name
        self.input = input
        self.useID = useID
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
