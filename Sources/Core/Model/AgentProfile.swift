/// The abilities of an agent's hooks. Decisions depend on these values, never on which agent it is.
package struct AgentProfile: Sendable, Hashable {
    /// The agent's name for people.
    package let name: String
    /// The answers that the agent understands for a held call, beside no opinion.
    package let answers: Set<AnswerForm>
    /// The events whose hooks wait for an answer: before a tool runs, and beside the agent's own dialog. Empty for an
    /// agent that runs Claude Code's hooks but is neither held nor answered.
    package let phases: Set<HookEventName>
    /// True if its hooks know whether a person sits at its terminal.
    package let isAttendanceKnown: Bool
    /// Modes in which no call is held, whatever the configuration says.
    package let freeModes: ModeSet
    /// Modes in which the agent decides calls by itself, or asks by itself: they are held only with `"gate": "always"`.
    package let settledModes: ModeSet
    /// True if its shell tool runs exactly the line that an allow rule was checked for. Other agents wrap the line in
    /// functions and aliases of their own (Grok 0.2.111 does), so that the effect of an allow rule is unknown.
    package let takesAllowRules: Bool
    /// True if a hook gets the whole input of its call. Grok cuts a long one.
    package let showsWholeInput: Bool
    /// True if its subagents are sessions of their own, in the process that started them; a person's deny in one counts
    /// in all of them.
    package let subagentsAreSessions: Bool
    /// The name of its process, for agents whose relay sends no process id.
    package let processName: String?

    /// The forms of answers.
    package enum AnswerForm: Sendable, Hashable {
        /// The call runs without the agent's own dialog.
        case allow
        /// The agent asks with its own dialog.
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

    /// True if a hook can make the agent ask with its own dialog. If it cannot, a request that nobody answers is
    /// denied: an answer without opinion would let the call run.
    package var asks: Bool { answers.contains(.ask) }

    /// True if it runs our hooks, and its calls are neither held nor answered.
    package var isBystander: Bool { phases.isEmpty }
}

extension AgentProfile {
    /// Measured on 2.1.x.
    static let claude = AgentProfile(
        name: "Claude Code", answers: [.allow, .ask, .changedInput, .deny], phases: [.permissionRequest, .preToolUse],
        isAttendanceKnown: true, freeModes: .these([.bypassPermissions]),
        settledModes: .these([.auto, .dontAsk, .plan]), takesAllowRules: true, showsWholeInput: true,
        subagentsAreSessions: false,
        processName: nil)

    /// Engine of cursor-sdk 1.1.0. Its calls are neither held nor answered.
    static let cursor = AgentProfile(
        name: "Cursor", answers: [], phases: [], isAttendanceKnown: false, freeModes: .allBut([]),
        settledModes: .allBut([]), takesAllowRules: false, showsWholeInput: true, subagentsAreSessions: false,
        processName: nil)

    /// Measured on 0.2.111. It does not act on an allow: where it asks by itself, a card would ask the same person
    /// twice; where it asks nobody, the card is the only question.
    static let grok = AgentProfile(
        name: "Grok", answers: [.deny], phases: [.preToolUse], isAttendanceKnown: false, freeModes: .these([]),
        settledModes: .allBut([.bypassPermissions]), takesAllowRules: false, showsWholeInput: false,
        subagentsAreSessions: true,
        processName: "grok")
}
