/// An open question and everybody who waits for its end.
struct Question {
    /// Everything that keeps the question from being a plain open one.
    enum Phase: Hashable {
        /// A person or a rule decided; the decision is on its way to the disk, and nothing else may end the question.
        case deciding(Verdict)
        case open
    }

    /// A decision before it is final.
    struct Verdict: Hashable {
        let resolution: Resolution
        var rules: [SessionRule]
        /// `nil` where a rule decided.
        let caller: Caller?
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
    var phase = Phase.open
    var isAnnounced = false
    /// Restored after a restart and not yet joined by its relay: lost at this time.
    var orphanedUntil: Uptime?
    var claims: [Claim] = []
    /// What the terminal did while the decision was being written.
    var overtakenBy: Resolution?

    /// When the clock decides.
    var due: Uptime { request.due ?? Uptime(milliseconds: 0) }

    var isDeciding: Bool {
        phase != .open
    }

    var call: ToolCall {
        ToolCall(name: request.toolName, kept: request.input, useID: request.toolUseID)
    }
}
