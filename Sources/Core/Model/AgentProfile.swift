/// What an agent's hooks can do. Decisions depend on this, never on which agent it is.
package struct AgentProfile: Sendable, Hashable {
    /// For people.
    package let name: String
    /// What can be said to a held call, beside no opinion.
    package let answers: Set<AnswerForm>
    /// The events that wait for an answer: before a tool runs, and beside the agent's own dialog. None: it runs Claude
    /// Code's hooks, and is neither held nor answered.
    package let phases: Set<HookEventName>
    /// Its hooks are told whether somebody sits at its terminal.
    package let isAttendanceKnown: Bool
    /// Modes in which no call is held, whatever the configuration says.
    package let freeModes: ModeSet
    /// Modes in which the agent settles calls by itself, or asks by itself: they are held with `"gate": "always"` only.
    package let settledModes: ModeSet
    /// What its shell tool runs is what an allow rule was judged for. Others wrap the line in functions and aliases of
    /// their own (Grok 0.2.111 does), and what a rule would then allow is not known.
    package let takesAllowRules: Bool
    /// Its subagents are sessions of their own, in the process of the one that started them; what a person denied to one is
    /// denied to all of them.
    package let subagentsAreSessions: Bool
    /// What its process is called, where no field of the relay names the process.
    package let processName: String?

    /// What an agent understands as an answer.
    package enum AnswerForm: Sendable, Hashable {
        /// The call runs without the agent's own question.
        case allow
        /// The agent asks at its own prompt.
        case ask
        /// The call runs with another input.
        case changedInput
        case deny
    }

    /// Some permission modes, or all but some.
    package enum ModeSet: Sendable, Hashable {
        case allBut(Set<PermissionMode>)
        case these(Set<PermissionMode>)

        package func contains(_ mode: PermissionMode) -> Bool {
            switch self {
            case .allBut(let others): !others.contains(mode)
            case .these(let modes): modes.contains(mode)
            }
        }
    }

    /// A hook can make it ask at its own prompt. Where it cannot, a question that nobody answers is a deny: to say nothing
    /// would let the call run.
    package var asks: Bool { answers.contains(.ask) }

    /// It runs our hooks, and we neither hold nor answer its calls.
    package var isBystander: Bool { phases.isEmpty }
}

extension AgentProfile {
    /// Measured on 2.1.x.
    static let claude = AgentProfile(
        name: "Claude Code", answers: [.allow, .ask, .changedInput, .deny], phases: [.permissionRequest, .preToolUse],
        isAttendanceKnown: true, freeModes: .these([.bypassPermissions]),
        settledModes: .these([.auto, .dontAsk, .plan]), takesAllowRules: true, subagentsAreSessions: false,
        processName: nil)

    /// Engine of cursor-sdk 1.1.0. We stay out of it.
    static let cursor = AgentProfile(
        name: "Cursor", answers: [], phases: [], isAttendanceKnown: false, freeModes: .allBut([]),
        settledModes: .allBut([]), takesAllowRules: false, subagentsAreSessions: false, processName: nil)

    /// Measured on 0.2.111. It takes no grant: where it asks by itself, a card would be a second question to the same
    /// person, and where it asks nobody, ours is the only one.
    static let grok = AgentProfile(
        name: "Grok", answers: [.deny], phases: [.preToolUse], isAttendanceKnown: false, freeModes: .these([]),
        settledModes: .allBut([.bypassPermissions]), takesAllowRules: false, subagentsAreSessions: true,
        processName: "grok")
}
