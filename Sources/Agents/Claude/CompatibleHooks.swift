package import Core
package import OrderedJSON

/// The paths to which older hook scripts post, `/api/hooks/…`, with the events they report.
package enum CompatibleHook: String, Sendable, CaseIterable {
    case notification, permission, session
    case permissionRequest = "permission-request"
    case toolEnd = "tool-end"
    case toolStart = "tool-start"

    package static let prefix = "/api/hooks/"

    /// Nil for any other path of older scripts, whose posts are only acknowledged.
    package init?(path: String) {
        self.init(rawValue: String(path.dropFirst(Self.prefix.count)))
    }

    /// True for the one path whose sender waits for a decision.
    package var isBlocking: Bool {
        self == .permissionRequest
    }

    /// Parses the input. The path decides on the event, not `hook_event_name`: scripts post whatever event they were
    /// installed for, and only `permission-request` may block.
    package func event(_ bytes: [UInt8]) throws(HookInputError) -> AgentEvent {
        try AgentEvent(hookInput: bytes, among: names)
    }

    /// The events that a post to this path may report; the first one if the input names none of them.
    private var names: [HookEventName] {
        switch self {
        case .notification, .permission: [.notification]
        case .permissionRequest: [.preToolUse, .permissionRequest]
        case .session: [.sessionStart, .sessionEnd]
        case .toolEnd: [.postToolUse, .postToolUseFailure]
        case .toolStart: [.other(rawValue)]
        }
    }

    package static let acknowledgement: JSON = ["ok": true]
}

/// The answer's body for older scripts. They cut the decision out of the text, so it comes first and the JSON is
/// compact.
extension HookAnswer {
    /// - Parameters:
    ///   - pattern: The rule's pattern, `""` for a decision about this call only.
    ///   - isTimeout: True if nobody answered in time.
    package func compatibleBody(pattern: String, scope: Scope, isTimeout: Bool) -> JSON {
        switch self {
        case .allow: ["decision": "allow", "pattern": .string(pattern), "scope": .string(scope.rawValue)]
        case .ask(let reason): ["decision": "ask", "message": .string(isTimeout ? "timeout" : Self.capped(reason))]
        case .deny(let message):
            [
                "decision": "deny", "pattern": .string(pattern), "scope": .string(scope.rawValue),
                "message": .string(Self.capped(message)),
            ]
        case .changed, .pass: [:]
        }
    }
}
