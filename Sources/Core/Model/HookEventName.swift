/// The events that our hooks are installed for; any other name is kept as it came.
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
