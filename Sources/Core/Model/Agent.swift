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

    /// Its name for people.
    package var name: String {
        switch self {
        case .claude: "Claude Code"
        case .cursor: "Cursor"
        case .grok: "Grok"
        }
    }

    /// It runs Claude Code's hooks, and we neither hold nor answer its calls.
    package var isBystander: Bool { self == .cursor }

    /// A hook can make it ask at its own prompt, and a person can change a call's input. Where it cannot, a question that
    /// nobody answers is a deny: to say nothing would let the call run.
    package var takesMoreThanYesAndNo: Bool { self == .claude }

    /// Allow rules are for what Claude Code's own shell would run. Others wrap the line in functions and aliases of their
    /// own (Grok 0.2.111 does), and what a rule would then allow is not known.
    package var takesAllowRules: Bool { self == .claude }

    /// Its subagents are sessions of their own, in the process of the one that started them; what a person denied to one is
    /// denied to all of them.
    package var subagentsAreSessions: Bool { self == .grok }

    private var prefix: String { rawValue + ":" }
    private static let others: [Agent] = [.cursor, .grok]
}

extension HookEvent {
    package var agent: Agent { Agent(sessionID: sessionID) }

    /// The agent gave its hook only the beginning of the tool's input.
    package var isInputCut: Bool { raw["tool_input_truncated"] == true }
}

extension PermissionRequest {
    package var agent: Agent { Agent(sessionID: sessionID) }
}

extension ExternalSession {
    package var agent: Agent { Agent(sessionID: id) }
}
