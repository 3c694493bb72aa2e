package import OrderedJSON
import Text

/// The same hook sent again: it joins the open request of its call, or gets the recorded answer.
extension BrokerState {
    /// Returns the request that this hook has asked before: a relay lost its daemon, or a client retries. Asks the rules
    /// once, where a rule ended it.
    func repeatedID(_ tool: ToolCall, of call: HookCall) -> String? {
        guard let id = sameID(tool, of: call) else { return nil }
        guard requests[id] == nil, let ended = requests.endedRequest(id) else { return id }
        return isWithdrawn(ended, tool, at: place(of: call)) ? nil : id
    }

    /// The same, also where the end of the request does not count any more.
    private func sameID(_ tool: ToolCall, of call: HookCall) -> String? {
        let source = call.source
        guard let token = source.relayToken else { return openTwin(tool, of: call) }
        guard let id = requests.id(token: token), let request = requests[id]?.request ?? requests.endedRequest(id),
            request.bodyDigest == source.bodyDigest, request.event == call.event.name,
            request.isUnverified == !source.isVerified
        else { return nil }
        return id
    }

    /// True where an allow rule ended the call, and the rules in force do not allow the call any more, or that cannot be
    /// said at once. Its hook is then taken for a new one.
    private func isWithdrawn(_ ended: PermissionRequest, _ tool: ToolCall, at place: RulePlace) -> Bool {
        guard let end = ended.resolution, end.decision == .allow, case .rule = end.resolver else { return false }
        guard tool.kept.size <= Self.evaluatedAgain else { return true }
        let hurried = evaluator.hurried()
        let allow = ruleBook.rules(session: ended.sessionID, .allow)
        return hurried.evaluator.allowing(tool, at: place, among: allow).isEmpty || !hurried.isSure()
    }

    /// Returns the held request of exactly the same call. Without a relay's token only a held request can be joined.
    private func openTwin(_ tool: ToolCall, of call: HookCall) -> String? {
        guard let useID = tool.useID else { return nil }
        let event = call.event
        return requests.heldID(toolUse: useID, input: tool.kept) { request in
            request.relayToken == nil && request.sessionID == event.sessionID && request.event == event.name
                && request.toolName.hasSameBytes(as: tool.name)
                && request.cwd.hasSameBytes(as: event.cwd) && request.promptID.hasSameBytes(as: event.promptID)
                && request.agentID.hasSameBytes(as: event.agentID) && request.isUnverified == !call.source.isVerified
        }
    }

    /// Shows a restored card whose input was not read at the start, now that the relay has sent the input again. First
    /// the start is made up for: the word that has to confirm the call, the call in the ledger, and the session's rules.
    private mutating func show(_ id: String, _ tool: ToolCall, _ now: Instant) -> [BrokerEffect] {
        guard var request = requests[id]?.request, let bytes = request.input.bytesElsewhere else { return [] }
        request.input = tool.kept
        request.noteConfirmation(
            bytes <= Self.evaluatedAgain
                ? policy.confirm.prompt(for: request.tool, input: request.toolInput)
                : policy.confirm.promptUnseen(for: request.tool))
        requests.update(id) { held in
            held.request = request
            held.isAnnounced = false
        }
        if request.event == .preToolUse { ledger.settle(request, as: .held, input: tool.kept) }
        let settled = settleByRules([id], at: now)
        return settled.isEmpty ? announce(id, at: now.wall) : settled
    }

    /// The ended request whose recorded answer the hook gets, if the start left the changed input of that answer in the
    /// store; else `nil`. Asks no rule: only a person changes an input.
    package func unreadAnswer(for call: HookCall) -> String? {
        guard call.event.name.isBlocking, let tool = call.event.tool, let id = sameID(tool, of: counted(call)),
            requests[id] == nil, requests.endedRequest(id)?.resolution?.isUnread == true
        else { return nil }
        return id
    }

    /// Takes the changed input that `unreadAnswer` asked for. Without it the hook does not hear the answer, which is then
    /// lost in time: the call itself was not allowed.
    package mutating func readAnswer(_ id: String, _ update: KeptJSON?) {
        guard let update, requests.endedRequest(id)?.resolution?.isUnread == true else { return }
        _ = requests.updateEnded(id) { $0.resolution?.update = update }
    }

    /// The deny that a repeated hook gets where no person decided its call, and a deny rule that may cover the call came
    /// into force after its end; or where its end keeps a deny for a hook that comes. Else `nil`.
    private func denial(of ended: PermissionRequest, for hook: BlockingHook) -> Resolution? {
        guard ended.event == .preToolUse, let end = ended.resolution, !end.resolver.isPerson, end.decision != .deny
        else { return nil }
        if let denial = end.message { return late(denial, end.resolver, at: hook.now.wall) }
        guard !denyRules(session: ended.sessionID).isEmpty else { return nil }
        var request = ended
        (request.input, request.resolution) = (hook.tool.kept, nil)
        var held = HeldRequest(request: request, place: place(of: hook.call), isDenyChecked: false)
        held.isInputUncertain = hook.event.details.isInputUncertain
        if let found = ruled(held, at: hook.now) { return found?.decision == .deny ? found : nil }
        return mayDeny(held).map { rule in
            Resolution(
                decision: .deny, resolver: end.resolver, reason: Self.unchecked(rule, end.reason), at: hook.now.wall)
        }
    }

    private func late(_ denial: String, _ resolver: Resolver, at now: Timestamp) -> Resolution {
        Resolution(
            decision: .deny, resolver: resolver, reason: "the call's hook came late, and heard the deny", at: now,
            message: denial)
    }

    /// Answers a repeated hook with a deny that came after the end of its request. What the terminal did stays recorded.
    private mutating func deny(
        _ ended: PermissionRequest, _ denial: Resolution, _ hook: BlockingHook
    ) -> [BrokerEffect] {
        guard ended.resolution?.resolver != .terminal else {
            return [.answer(hook.waiter, HookReply(.deny(message: denial.reason)))]
        }
        let corrected = replaceEnd(of: ended, with: denial, at: hook.now.wall)
        guard let denied = requests.endedRequest(ended.id) else { return corrected }
        settleLedger(denied, denial)
        denies.note(denied, denial)
        return corrected + [.answer(hook.waiter, recordedReply(denied))]
    }

    /// Lets a repeated hook wait for its held request, or gives it the recorded answer; `nil` where the hook is no
    /// repeat.
    mutating func joinRepeat(_ hook: BlockingHook) -> [BrokerEffect]? {
        guard let id = repeatedID(hook.tool, of: hook.call) else { return nil }
        let waiter = hook.waiter
        if let ended = requests.endedRequest(id), requests[id] == nil {
            if ended.resolution?.isUnread == true { return [.answer(waiter, recordedReply(ended))] }
            if let denial = denial(of: ended, for: hook) { return deny(ended, denial, hook) }
            if let resolution = ended.resolution { settleLedger(ended, resolution) }
            // The answer is on its way; `delivered` is called with the outcome.
            unheard[id] = nil
            return [.answer(waiter, recordedReply(ended))]
        }
        waiting[waiter] = id
        let wasUnknown = requests[id]?.isInputUncertain == nil
        requests.update(id) { held in
            held.waiters.append(waiter)
            held.orphanedUntil = nil
            held.isInputUncertain = hook.event.details.isInputUncertain
        }
        let shown = show(id, hook.tool, hook.now) + (wasUnknown ? settleByRules([id], at: hook.now) : [])
        return shown + (requests[id].map { [.hold(waiter, until: $0.due)] } ?? [])
    }
}
