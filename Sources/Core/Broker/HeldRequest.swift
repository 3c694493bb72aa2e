/// A request that is held, with the hooks and the callers that wait for its end.
struct HeldRequest {
    enum Phase {
        case undecided
        /// Indirect: few requests are in this phase, and otherwise each request would be as large.
        indirect case deciding(PendingDecision)
    }

    /// A decision that is being written and is final only after that.
    struct PendingDecision {
        var resolution: Resolution
        var rules: [SessionRule]
        /// `nil` where a rule decided.
        let caller: Caller?
        /// The session that the rules were granted for has ended; another with the same id may have started.
        var isSessionOver = false
        /// The terminal's answer, where the tool ran while the decision was being written.
        var overtakenBy: Resolution?

        /// `RuleBook.removals` when a rule decided.
        var removals = 0

        /// True where a rule decided, and nobody was asked.
        var isAllowByRule: Bool { caller == nil && resolution.decision == .allow }
    }

    /// An answer whose caller waits for the outcome, and its place among the results of its `respond` call.
    struct Claim {
        let call: CallID
        let index: Int
        let caller: Caller
        let decision: Decision
    }

    var request: PermissionRequest
    let place: RulePlace
    var waiters: [Waiter] = []
    private(set) var phase = Phase.undecided
    var isAnnounced = false
    /// All deny rules in force were evaluated for the call, and none covers it.
    var isDenyChecked: Bool
    /// The agent shows only the beginning of the input, or names a member twice; `nil` where that is unknown until the
    /// relay sends the input again.
    var isInputUncertain: Bool? = false
    /// True while the session's transcript is read; the card waits for it.
    var isBeingExplained = false
    /// True if the card waits for nothing else.
    var isOpened = false
    /// Set for a restored request until its relay comes back: at this time the request ends as lost.
    var orphanedUntil: Uptime?
    var claims: [Claim] = []

    /// The deadline: `on_timeout` decides at this time.
    var due: Uptime { request.due ?? Uptime(milliseconds: 0) }

    var isDeciding: Bool { pendingDecision != nil }

    /// The decision of a person or a rule that is being written; until it is, nothing else can end the request.
    var pendingDecision: PendingDecision? {
        get { if case .deciding(let decision) = phase { decision } else { nil } }
        set { phase = newValue.map { .deciding($0) } ?? .undecided }
    }

    var call: ToolCall {
        ToolCall(tool: request.tool, kept: request.input, useID: request.toolUseID)
    }
}
