package import Core
package import OrderedJSON

/// The addresses older hook scripts post to, `/api/hooks/…`, and what they are about.
package enum CompatibleHook: String, Sendable, CaseIterable {
    case notification, permission, session
    case permissionRequest = "permission-request"
    case toolEnd = "tool-end"
    case toolStart = "tool-start"

    package static let prefix = "/api/hooks/"

    /// Nil for an address that only older scripts know, which is acknowledged and no more.
    package init?(path: String) {
        self.init(rawValue: String(path.dropFirst(Self.prefix.count)))
    }

    /// The one address whose answer is waited for.
    package var isBlocking: Bool {
        self == .permissionRequest
    }

    /// Reads the input. What it is about is said by the address, not by `hook_event_name`: scripts post whatever event
    /// they were hung on, and only `permission-request` may ever block.
    package func event(_ bytes: [UInt8]) throws(HookInputError) -> AgentEvent {
        try AgentEvent(hookInput: bytes, among: names)
    }

    /// The events it can be about; the first where the input names none of them.
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

/// What a compatible script hears. Scripts cut the decision out of the text, so it comes first and the JSON is compact.
extension HookAnswer {
    /// - Parameters:
    ///   - pattern: The rule's pattern, `""` for a decision about this call only.
    ///   - isTimeout: Nobody answered in time.
    package func compatibleBody(pattern: String, scope: Scope, isTimeout: Bool) -> JSON {
        switch self {
        case .allow: ["decision": "allow", "pattern": .string(pattern), "scope": .string(scope.rawValue)]
        case .ask(let reason): ["decision": "ask", "message": .string(isTimeout ? "timeout" : Self.capped(reason))]
        case .deny(let message):
            [
                "decision": "deny", "pattern": .string(pattern), "scope": .string(scope.rawValue),
                "message": .string(Self.capped(message)),
            ]
        case .pass: [:]
        }
    }
}
