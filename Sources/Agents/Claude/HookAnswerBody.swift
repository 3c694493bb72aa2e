package import Core
package import OrderedJSON

/// The answer's body for Claude Code (measured on 2.1.x). Claude Code takes any other form for no opinion, or for an
/// error that lets the call run.
extension HookAnswer {
    package func body(for event: HookEventName) -> JSON {
        switch event {
        case .preToolUse: preToolUseBody
        case .permissionRequest: permissionRequestBody
        default: [:]
        }
    }

    private var preToolUseBody: JSON {
        switch self {
        case .allow(let reason, let update):
            var output = Self.preToolUse("allow", reason)
            if let update { output["updatedInput"] = update.value }
            return ["hookSpecificOutput": .object(output)]
        case .ask(let reason): return ["hookSpecificOutput": .object(Self.preToolUse("ask", reason))]
        case .deny(let message): return ["hookSpecificOutput": .object(Self.preToolUse("deny", message))]
        case .changed, .pass: return [:]
        }
    }

    /// Claude Code's dialog is open already, so there is no `ask` here; Claude Code would take it for an error.
    private var permissionRequestBody: JSON {
        var decision: JSONObject
        switch self {
        case .allow(_, let update):
            decision = ["behavior": "allow"]
            if let update { decision["updatedInput"] = update.value }
        case .deny(let message):
            decision = ["behavior": "deny", "message": .string(Self.sentence(message))]
        case .ask, .changed, .pass:
            return [:]
        }
        return ["hookSpecificOutput": ["hookEventName": "PermissionRequest", "decision": .object(decision)]]
    }

    private static func preToolUse(_ decision: JSON, _ reason: String) -> JSONObject {
        [
            "hookEventName": "PreToolUse", "permissionDecision": decision,
            "permissionDecisionReason": .string(sentence(reason)),
        ]
    }

    /// The text as people and the model are shown it, with the name of the program that says it.
    static func sentence(_ text: String) -> String { "cdev: " + capped(text) }

    /// Characters. Claude Code passes a reason of any length to the model (2,000,000 characters measured).
    static let longestReason = 10_000

    static func capped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longestReason, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
