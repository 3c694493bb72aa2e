/// An open question and everybody who waits for its end.
struct HeldRequest {
    enum Phase {
        case undecided
        /// Indirect: few requests are in this phase, and otherwise each request would be as large.
        indirect case deciding(PendingDecision)
    }

    /// A decision that is being written and is not final before that.
    struct PendingDecision {
        let resolution: Resolution
        var rules: [SessionRule]
        /// `nil` where a rule decided.
        let caller: Caller?
        /// The session that the rules were granted for has ended, whether or not one of its id is there again.
        var isSessionOver = false
        /// What the terminal did while the decision was being written.
        var overtakenBy: Resolution?
    }

    /// A caller that waits for the outcome of its answer.
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
    /// Restored after a restart and not yet joined by its relay: lost at this time.
    var orphanedUntil: Uptime?
    var claims: [Claim] = []

    /// When the clock decides.
    var due: Uptime { request.due ?? Uptime(milliseconds: 0) }

    var isDeciding: Bool { pendingDecision != nil }

    /// A person or a rule decided; the decision is on its way to the disk, and nothing else may end the question.
    var pendingDecision: PendingDecision? {
        get { if case .deciding(let decision) = phase { decision } else { nil } }
        set { phase = newValue.map { .deciding($0) } ?? .undecided }
    }

    var call: ToolCall {
        ToolCall(tool: request.tool, kept: request.input, useID: request.toolUseID)
    }
}
