/// The program whose hooks call us. Its words are its dialect's; here is only what decisions depend on.
package enum Agent: String, Sendable, Hashable, CaseIterable {
    case claude, cursor, grok

    /// The session's id here. Ids of two agents may be equal, and rules go with a session: every id but Claude's begins
    /// with its agent's name and a colon.
    package func sessionID(_ own: String) -> String {
        self == .claude ? own : prefix + own
    }

    /// Whose session it is. By bytes: a combining mark behind the colon changes the character, not the session.
    package init(sessionID: String) {
        self = Self.others.first { sessionID.utf8.starts(with: $0.prefix.utf8) } ?? .claude
    }

    /// What its hooks can do.
    package var profile: AgentProfile {
        switch self {
        case .claude: .claude
        case .cursor: .cursor
        case .grok: .grok
        }
    }

    /// Its name for people.
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
