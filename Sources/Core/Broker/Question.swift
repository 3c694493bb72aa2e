/// An open question and everybody who waits for its end.
struct Question {
    enum Phase: Hashable {
        /// Indirect: few are in this phase, and all would be as large.
        indirect case deciding(Verdict)
        case open
    }

    /// A decision before it is final.
    struct Verdict: Hashable {
        let resolution: Resolution
        var rules: [SessionRule]
        /// `nil` where a rule decided.
        let caller: Caller?
        /// The session that the rules were granted for has ended, whether or not one of its id is there again.
        var isSessionOver = false
        /// What the terminal did while the decision was being written.
        var overtakenBy: Resolution?
    }

    /// Somebody whose answer is in this verdict, or came while it was being written.
    struct Claim: Hashable {
        let call: CallID
        let index: Int
        let caller: Caller
        let decision: Decision
    }

    var request: PermissionRequest
    let place: RulePlace
    var waiters: [Waiter] = []
    private(set) var phase = Phase.open
    var isAnnounced = false
    /// Restored after a restart and not yet joined by its relay: lost at this time.
    var orphanedUntil: Uptime?
    var claims: [Claim] = []

    /// When the clock decides.
    var due: Uptime { request.due ?? Uptime(milliseconds: 0) }

    var isDeciding: Bool { verdict != nil }

    /// A person or a rule decided; the decision is on its way to the disk, and nothing else may end the question.
    var verdict: Verdict? {
        get { if case .deciding(let verdict) = phase { verdict } else { nil } }
        set { phase = newValue.map { .deciding($0) } ?? .open }
    }

    var call: ToolCall {
        ToolCall(tool: request.tool, kept: request.input, useID: request.toolUseID)
    }
}
