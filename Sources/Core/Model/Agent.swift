/// The program whose hooks call us. Its own names are known only in `Agents`; here is what decisions depend on.
package enum Agent: String, Sendable, Hashable, CaseIterable {
    case claude, cursor, grok

    /// Our id for the agent's session. Ids of two agents may be equal, and rules belong to a session, so every id but
    /// Claude's begins with its agent's name and a colon.
    package func sessionID(_ own: String) -> String {
        self == .claude ? own : prefix + own
    }

    /// The agent of a session. Compares bytes: a combining mark after the colon changes the character, not the session.
    package init(sessionID: String) {
        self = Self.others.first { sessionID.utf8.starts(with: $0.prefix.utf8) } ?? .claude
    }

    /// The abilities of its hooks.
    package var profile: AgentProfile {
        switch self {
        case .claude: .claude
        case .cursor: .cursor
        case .grok: .grok
        }
    }

    /// The agent's name for people.
    package var name: String { profile.name }

    private var prefix: String { rawValue + ":" }
    private static let others: [Agent] = [.cursor, .grok]
}

extension AgentEvent {
    package var agent: Agent { Agent(sessionID: sessionID) }
}

extension PermissionRequest {
    package var agent: Agent { Agent(sessionID: sessionID) }
}

extension ExternalSession {
    package var agent: Agent { Agent(sessionID: id) }
}
