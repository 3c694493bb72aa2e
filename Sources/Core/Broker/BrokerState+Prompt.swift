import OrderedJSON

/// PermissionRequest: Claude shows its own dialog, or would if somebody sat there.
extension BrokerState {
    mutating func permissionRequest(
        _ event: AgentEvent, _ source: HookSource, _ waiter: Waiter, _ facts: CallFacts?, _ now: Instant
    ) -> [BrokerEffect] {
        guard let tool = event.tool else { return [.answer(waiter, HookReply(.pass))] }
        if let repeated = joinRepeat(event, tool, source, waiter, now) { return repeated }
        let facts = facts ?? ask(event, tool, source)
        let call = ledger.claim(event, tool: tool, isUnverified: !source.isVerified)
        if let rule = facts.denying {
            return deny(event, tool, source, waiter, by: rule, now)
        }
        if call?.outcome == .allowedByPerson, facts.mayDeny == nil {
            let reason = "allowed when the call was announced"
            return [.answer(waiter, HookReply(.allow(reason: reason, updatedInput: nil)))]
        }
        return ask(event, tool, call, source, waiter, facts, now)
    }

    private mutating func ask(
        _ event: AgentEvent, _ tool: ToolCall, _ call: CallLedger.Entry?, _ source: HookSource, _ waiter: Waiter,
        _ facts: CallFacts, _ now: Instant
    ) -> [BrokerEffect] {
        // Somebody at the terminal can answer a main-agent dialog at any time; nobody can answer the others there.
        let isAttended = event.agent.profile.isAttendanceKnown && source.isAttended
        let hasDialog = isAttended && event.agentID == nil
        if !hasDialog {
            if call?.outcome == .timedOut { return [.answer(waiter, HookReply(.pass))] }
            if approvers == 0, policy.noApprover != .hold {
                return unreachable(event, tool, source, waiter, facts.mayDeny, now.wall)
            }
        }
        let seconds = hasDialog ? policy.promptTimeout : policy.permissionTimeout
        if let again = reopened(call, event, tool, source, facts, seconds: seconds, now) {
            if let reason = crowding(event, source) {
                return crowded(event, tool, source, waiter, reason, facts.mayDeny, now.wall)
            }
            return open(again, at: place(of: event, source), waiter)
        }
        let named = tool.named(call?.toolUseID ?? tool.useID)
        return hold(event, named, source, waiter, facts, seconds: seconds, now)
    }

    /// The question of this call that ended at PreToolUse, to be asked once more beside the dialog.
    private func reopened(
        _ call: CallLedger.Entry?, _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ facts: CallFacts,
        seconds: Double, _ now: Instant
    ) -> PermissionRequest? {
        guard let id = call?.requestID, var request = questions.endedRequest(id), questions[id] == nil else {
            return nil
        }
        request.event = .permissionRequest
        request.opening += 1
        request.resolution = nil
        request.ask(for: seconds, from: now)
        request.isTerminalPrompt = source.isAttended
        request.input = tool.kept
        offer(on: &request, facts)
        request.relayToken = source.relayToken
        request.bodyDigest = source.bodyDigest
        return request
    }
}
