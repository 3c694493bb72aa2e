/// The ways in which a blocking hook is answered at once, and the start of a hold.
extension BrokerState {
    /// - Parameter rules: The rules that cover the call together; not empty.
    mutating func allow(_ hook: BlockingHook, by rules: [SessionRule]) -> [BrokerEffect] {
        let patterns = rules.map(\.pattern).joined(separator: ", ")
        let reason = "\(rules[0].words): \(patterns)"
        let resolution = Resolution(
            decision: .allow, scope: .session, resolver: .rule(id: rules[0].id), reason: reason, at: hook.now.wall)
        let touched = rules.compactMap { ruleBook.touch($0.id, at: hook.now) }
        return [
            .append([.request(record(hook, resolution))] + touched.map { .rule($0) }),
            .answer(hook.waiter, HookReply(.allow(reason: reason, updatedInput: nil))),
        ]
    }

    mutating func deny(_ hook: BlockingHook, by rule: SessionRule) -> [BrokerEffect] {
        let resolution = Self.denied(
            by: rule, isInputUncertain: hook.event.details.isInputUncertain, hook.event.agent, at: hook.now.wall)
        let touched = ruleBook.touch(rule.id, at: hook.now)
        let request = record(hook, resolution)
        return [
            .append([.request(request)] + (touched.map { [.rule($0)] } ?? [])),
            .answer(hook.waiter, HookReply(.deny(message: resolution.reason), receipt: watch(request, resolution))),
        ]
    }

    /// The end of a call by a deny rule. An uncertain input is covered by every deny rule.
    static func denied(
        by rule: SessionRule, isInputUncertain: Bool, _ agent: Agent, at now: Timestamp
    ) -> Resolution {
        let reason =
            isInputUncertain
            ? "\(agent.name) shows only the beginning of this input, names a part of it twice, or puts too many marks on a "
                + "letter, so it cannot be checked against what \(rule.grantor) denied for the session: \(rule.pattern)"
            : "\(rule.words): \(rule.pattern)"
        return Resolution(
            decision: .deny, scope: .session, resolver: .rule(id: rule.id), reason: reason, at: now)
    }

    /// Answers as the policy says where no approver is connected, and records that.
    /// - Parameter rule: A deny rule that could not be checked and may cover the call. The call is then denied, since
    ///   without an opinion it would run although a person may have denied it.
    mutating func unreachable(_ hook: BlockingHook, _ rule: SessionRule?) -> [BrokerEffect] {
        let isDeny = policy.noApprover == .deny || rule != nil
        let reason =
            rule.map { Self.unchecked($0, "nobody who may answer is connected") }
            ?? (isDeny
                ? "nobody who may answer is connected, and no_approver is deny"
                : "nobody who may answer was connected")
        return unasked(hook, isDeny: isDeny, by: .noApprover, reason)
    }

    /// Records the call and answers it with a deny or no opinion, without asking anybody.
    private mutating func unasked(
        _ hook: BlockingHook, isDeny: Bool, by resolver: Resolver, _ reason: String
    ) -> [BrokerEffect] {
        let resolution = Resolution(
            decision: isDeny ? .deny : .pass, resolver: resolver, reason: reason, at: hook.now.wall)
        if hook.event.name == .preToolUse { note(hook, as: isDeny ? .denied : .passed) }
        let request = record(hook, resolution)
        let receipt = isDeny ? watch(request, resolution) : nil
        return [
            .append([.request(request)]),
            .answer(hook.waiter, HookReply(isDeny ? .deny(message: reason) : .pass, receipt: receipt)),
        ]
    }

    /// The reason of a deny where it is not known whether the deny rule covers the call.
    /// - Parameter why: The reason for which nobody decides the call.
    static func unchecked(_ rule: SessionRule, _ why: String) -> String {
        "it cannot be told whether this is what \(rule.grantor) denied for the session "
            + "(\(rule.pattern)), and " + why
    }

    /// Watches a call that was denied without being held: it is an alarm if the call runs all the same.
    private mutating func watch(_ request: PermissionRequest, _ resolution: Resolution) -> DeliveryReceipt {
        denies.note(request, resolution, isUnasked: true)
        return DeliveryReceipt(requestID: request.id, opening: request.opening)
    }

    /// The reason why the call cannot be held beside those that are; `nil` while there is room.
    func crowding(_ call: HookCall) -> String? {
        if requests.heldCount(session: call.event.sessionID, beside: call.source) >= Policy.heldPerSession {
            return "\(Policy.heldPerSession) requests of this session were open already"
        }
        guard !call.source.isVerified, requests.unverifiedCount >= Policy.heldUnverified else { return nil }
        return "\(Policy.heldUnverified) requests of unverified senders were open already"
    }

    /// Answers a call for which there is no room: with no opinion, or with a deny where the agent does not ask by
    /// itself, a deny rule may cover the call, or the policy denies what nobody decides.
    mutating func crowded(_ hook: BlockingHook, _ why: String, _ rule: SessionRule?) -> [BrokerEffect] {
        let isUndecidedDeny = policy.onTimeout == .deny && hook.event.name == .preToolUse
        let isDeny = !hook.event.agent.profile.asks || rule != nil || isUndecidedDeny
        let reason = rule.map { Self.unchecked($0, why) } ?? why
        return unasked(hook, isDeny: isDeny, by: .sessionLimit, reason)
    }

    /// Holds the call: its request is written, and then its card is shown.
    mutating func hold(_ hook: BlockingHook, _ facts: CallFacts, seconds: Double) -> [BrokerEffect] {
        if let reason = crowding(hook.call) { return crowded(hook, reason, facts.mayDeny) }
        var request = record(hook, nil)
        offer(on: &request, facts)
        request.ask(for: seconds, from: hook.now)
        request.isTerminalPrompt = hook.event.name == .permissionRequest && hook.source.isAttended
        if !hook.source.isVerified || hook.tool.kind.isForUser {
            request.patterns = []
        }
        if hook.event.name == .preToolUse { note(hook, as: .held, request: request.id) }
        return open(request, facts, hook)
    }

    mutating func open(
        _ request: PermissionRequest, _ facts: CallFacts, _ hook: BlockingHook
    ) -> [BrokerEffect] {
        let (place, waiter) = (place(of: hook.call), hook.waiter)
        var held = HeldRequest(
            request: request, place: place, waiters: [waiter], isDenyChecked: facts.mayDeny == nil)
        held.isInputUncertain = hook.event.details.isInputUncertain
        held.request.root = place.root
        let reading = explain(&held)
        requests.insert(held)
        waiting[waiter] = request.id
        return [
            .hold(waiter, until: held.due),
            commit([.request(request)], .normal, then: .announce([request.id])),
        ] + reading
    }

    /// The call as the audit log and the approvers see it. Its deadline is the time of the call until the request is
    /// held.
    func record(_ hook: BlockingHook, _ resolution: Resolution?) -> PermissionRequest {
        let (event, source) = (hook.event, hook.source)
        let id = makeID("r_")
        return PermissionRequest(
            id: id, toolUseID: hook.tool.useID ?? id, sessionID: event.sessionID, event: event.name,
            tool: hook.tool.tool, input: hook.tool.kept, cwd: event.cwd, promptID: event.promptID,
            permissionMode: event.permissionMode, agentID: event.agentID, agentType: event.agentType,
            createdAt: hook.now.wall, deadline: hook.now.wall, isUnverified: !source.isVerified,
            isAttended: source.isAttended, relayToken: source.relayToken, bodyDigest: source.bodyDigest,
            resolution: resolution)
    }

    /// Sets the confirmation word, the offered patterns and the limit on the request; all three depend on its input.
    func offer(on request: inout PermissionRequest, _ facts: CallFacts) {
        request.confirm = facts.confirm
        request.patterns = request.confirm == nil && request.agent.profile.takesAllowRules ? facts.offers.allow : []
        request.denyPatterns = facts.offers.deny
        request.isOutside = facts.isOutside
        request.ruleLimit =
            facts.isInputUncertain
            ? .uncertainInput : facts.isUnknown ? .noAnswer : facts.offers.isTooLarge ? .tooLarge : nil
    }
}
