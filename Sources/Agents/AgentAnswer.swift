package import Core
package import OrderedJSON

/// The answer's body in the form of each agent. An agent takes any other form for no opinion, or for an error that lets
/// the call run.
extension HookAnswer {
    package func body(for event: AgentEvent) -> JSON {
        if event.agent == .claude, event.name == .postToolUse { return toolEndBody }
        guard event.agent.profile.phases.contains(event.name) else { return [:] }
        return switch event.agent {
        case .claude: claudeBody(for: event)
        case .cursor: [:]
        case .grok: grokBody
        }
    }

    /// Grok acts only on a deny (measured on 0.2.111): after an allow it still makes its own checks, and it ignores
    /// `ask` and Claude Code's form. So an `ask` is sent as a deny.
    private var grokBody: JSON {
        switch self {
        case .allow: ["decision": "allow"]
        case .ask(let reason), .deny(let reason): ["decision": "deny", "reason": .string(Self.sentence(reason))]
        case .changed, .pass: [:]
        }
    }
}
