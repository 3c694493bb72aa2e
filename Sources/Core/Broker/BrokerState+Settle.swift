/// Calls that are settled at once, and the start of those that are not.
extension BrokerState {
    mutating func allow(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ waiter: Waiter, by rules: [SessionRule],
        _ now: Instant
    ) -> [BrokerEffect] {
        let patterns = rules.map(\.pattern).joined(separator: ", ")
        let reason = "allowed for this session by \(rules[0].grantedBy): \(patterns)"
        let resolution = Resolution(
            decision: .allow, scope: .session, resolver: .rule(id: rules[0].id), reason: reason, at: now.wall)
        let touched = rules.compactMap { ruleBook.touch($0.id, at: now) }
        return [
            .append([.request(record(event, tool, source, resolution, now.wall))] + touched.map { .rule($0) }),
            .answer(waiter, HookReply(.allow(reason: reason, updatedInput: nil))),
        ]
    }

    mutating func deny(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ waiter: Waiter, by rule: SessionRule,
        _ now: Instant
    ) -> [BrokerEffect] {
        let reason =
            event.details.isInputCut
            ? "\(event.agent.name) shows its hooks only the beginning of this input, so it cannot be checked against what "
                + "\(rule.grantedBy) denied for this session: \(rule.pattern)"
            : "denied for this session by \(rule.grantedBy): \(rule.pattern)"
        let resolution = Resolution(
            decision: .deny, scope: .session, resolver: .rule(id: rule.id), reason: reason, at: now.wall)
        let touched = ruleBook.touch(rule.id, at: now)
        let request = record(event, tool, source, resolution, now.wall)
        return [
            .append([.request(request)] + (touched.map { [.rule($0)] } ?? [])),
            .answer(waiter, HookReply(.deny(message: reason), receipt: watched(request, resolution))),
        ]
    }

    /// Nobody can be asked: the policy answers, and the log says so.
    /// - Parameter rule: May forbid the call. No opinion would let it run then, where a person denied it.
    mutating func unreachable(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ waiter: Waiter, _ rule: SessionRule?,
        _ now: Timestamp
    ) -> [BrokerEffect] {
        let isDeny = policy.noApprover == .deny || rule != nil
        let reason =
            rule.map { Self.unseen($0) + ", and nobody who may answer is connected" }
            ?? (isDeny
                ? "cdev: nobody who may answer is connected, and no_approver is deny"
                : "nobody who may answer was connected")
        return unasked(event, tool, source, waiter, isDeny: isDeny, by: .noApprover, reason, now)
    }

    /// Nobody is asked about the call: a deny or no opinion, and the log says so.
    private mutating func unasked(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ waiter: Waiter, isDeny: Bool,
        by resolver: Resolver, _ reason: String, _ now: Timestamp
    ) -> [BrokerEffect] {
        let resolution = Resolution(decision: isDeny ? .deny : .pass, resolver: resolver, reason: reason, at: now)
        // No dialog comes for a denied call, so none may be tied to it.
        if !isDeny, event.name == .preToolUse { note(event, tool, source, as: .passed) }
        let request = record(event, tool, source, resolution, now)
        let receipt = isDeny ? watched(request, resolution) : nil
        return [
            .append([.request(request)]),
            .answer(waiter, HookReply(isDeny ? .deny(message: reason) : .pass, receipt: receipt)),
        ]
    }

    /// Why a call is not let through that a deny rule may forbid.
    static func unseen(_ rule: SessionRule) -> String {
        "cdev: the disk did not answer, so nobody knows whether this is what \(rule.grantedBy) denied for this session "
            + "(\(rule.pattern))"
    }

    /// A deny that no question stands behind is told as one, for a call that runs all the same is an alarm.
    private mutating func watched(_ request: PermissionRequest, _ resolution: Resolution) -> DeliveryReceipt {
        denies.note(request, resolution, isUnasked: true)
        return DeliveryReceipt(requestID: request.id, opening: request.opening)
    }

    /// Why one more question would be more than anybody can answer; `nil` while there is room.
    func crowding(_ event: AgentEvent, _ source: HookSource) -> String? {
        if questions.heldCount(session: event.sessionID) >= Policy.heldPerSession {
            return "\(Policy.heldPerSession) questions of this session were open already"
        }
        guard !source.isVerified, questions.unverifiedCount >= Policy.heldUnverified else { return nil }
        return "\(Policy.heldUnverified) questions of unverified senders were open already"
    }

    /// No room for one more question: no opinion, or a deny where that would let the call run; and the log says so.
    mutating func crowded(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ waiter: Waiter, _ why: String,
        _ rule: SessionRule?, _ now: Timestamp
    ) -> [BrokerEffect] {
        let isDeny = !event.agent.profile.asks || rule != nil
        let reason = rule.map { Self.unseen($0) + ", and " + why } ?? (isDeny ? "cdev: " : "") + why
        return unasked(event, tool, source, waiter, isDeny: isDeny, by: .sessionLimit, reason, now)
    }

    /// Opens a question: to be written first, then shown.
    mutating func hold(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ waiter: Waiter, _ facts: CallFacts,
        seconds: Double, _ now: Instant
    ) -> [BrokerEffect] {
        if let reason = crowding(event, source) {
            return crowded(event, tool, source, waiter, reason, facts.mayDeny, now.wall)
        }
        var request = record(event, tool, source, nil, now.wall)
        offer(on: &request, facts)
        request.ask(for: seconds, from: now)
        request.isTerminalPrompt = event.name == .permissionRequest && source.isAttended
        if !source.isVerified || tool.kind.isForUser {
            request.patterns = []
        }
        if event.name == .preToolUse { note(event, tool, source, as: .held, request: request.id) }
        request.mayBeDenied = facts.mayDeny.map(Self.unseen)
        return open(request, at: place(of: event, source), waiter)
    }

    mutating func open(_ request: PermissionRequest, at place: RulePlace, _ waiter: Waiter) -> [BrokerEffect] {
        let question = Question(request: request, place: place, waiters: [waiter])
        questions.insert(question)
        waiting[waiter] = request.id
        return [
            .hold(waiter, until: question.due),
            commit([.request(request)], .normal, then: .announce([request.id])),
        ]
    }

    /// The call as the log and the approvers see it.
    func record(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ resolution: Resolution?, _ now: Timestamp
    ) -> PermissionRequest {
        let id = makeID("r_")
        return PermissionRequest(
            id: id, toolUseID: tool.useID ?? id, sessionID: event.sessionID, event: event.name, tool: tool.tool,
            input: tool.kept, cwd: event.cwd, promptID: event.promptID, permissionMode: event.permissionMode,
            agentID: event.agentID, agentType: event.agentType, createdAt: now, deadline: now,
            isUnverified: !source.isVerified, isAttended: source.isAttended, relayToken: source.relayToken,
            bodyDigest: source.bodyDigest, resolution: resolution)
    }

    /// What the card asks for and offers, which goes with this very input.
    func offer(on request: inout PermissionRequest, _ facts: CallFacts) {
        request.confirm = facts.confirm
        request.patterns = request.confirm == nil && request.agent.profile.takesAllowRules ? facts.offers.allow : []
        request.denyPatterns = facts.offers.deny
        request.ruleLimit = facts.isUnknown ? .noAnswer : facts.offers.isTooLarge ? .tooLarge : nil
    }
}
