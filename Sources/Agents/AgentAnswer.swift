package import Core
package import OrderedJSON

/// The body each agent understands. Anything else than its exact forms counts there as no opinion, or as an error that
/// lets the call run.
extension HookAnswer {
    package func body(for event: AgentEvent) -> JSON {
        guard event.agent.profile.phases.contains(event.name) else { return [:] }
        return switch event.agent {
        case .claude: body(for: event.name)
        case .cursor: [:]
        case .grok: grokBody
        }
    }

    /// Only a deny means anything to Grok (measured on 0.2.111): an allow goes on to Grok's own checks, `ask` is ignored,
    /// and Claude Code's form too.
    private var grokBody: JSON {
        switch self {
        case .allow: ["decision": "allow"]
        case .ask(let reason), .deny(let reason): ["decision": "deny", "reason": .string(Self.capped(reason))]
        case .pass: [:]
        }
    }
}
