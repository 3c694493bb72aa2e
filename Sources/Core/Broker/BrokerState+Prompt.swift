import OrderedJSON

/// PermissionRequest: Claude shows its own dialog, or would if somebody sat there.
extension BrokerState {
    mutating func permissionRequest(_ hook: BlockingHook, _ facts: CallFacts?) -> [BrokerEffect] {
        if let repeated = joinRepeat(hook) { return repeated }
        let facts = facts ?? gatherFacts(hook)
        let announced = ledger.claim(hook)
        if let rule = facts.denying {
            return deny(hook, by: rule)
        }
        if announced?.outcome == .allowedByPerson, facts.mayDeny == nil {
            let reason = "allowed when the call was announced"
            return [.answer(hook.waiter, HookReply(.allow(reason: reason, updatedInput: nil)))]
        }
        return ask(hook, announced, facts)
    }

    /// - Parameter announced: The call as PreToolUse announced it; `nil` where the ledger has no such call.
    private mutating func ask(
        _ hook: BlockingHook, _ announced: CallLedger.Entry?, _ facts: CallFacts
    ) -> [BrokerEffect] {
        // Somebody at the terminal can answer a main-agent dialog at any time; nobody can answer the others there.
        let isAttended = hook.event.agent.profile.isAttendanceKnown && hook.source.isAttended
        let hasDialog = isAttended && hook.event.agentID == nil
        if !hasDialog {
            if announced?.outcome == .timedOut { return [.answer(hook.waiter, HookReply(.pass))] }
            if approvers == 0, policy.noApprover != .hold { return unreachable(hook, facts.mayDeny) }
        }
        let seconds = hasDialog ? policy.promptTimeout : policy.permissionTimeout
        if let again = reopened(announced, by: hook, facts, seconds: seconds) {
            if let reason = crowding(hook.call) { return crowded(hook, reason, facts.mayDeny) }
            return open(again, at: place(of: hook.call), hook.waiter)
        }
        return hold(hook.named(announced?.toolUseID ?? hook.tool.useID), facts, seconds: seconds)
    }

    /// The question of this call that ended at PreToolUse, to be asked once more beside the dialog.
    private func reopened(
        _ announced: CallLedger.Entry?, by hook: BlockingHook, _ facts: CallFacts, seconds: Double
    ) -> PermissionRequest? {
        guard let id = announced?.requestID, var request = questions.endedRequest(id), questions[id] == nil else {
            return nil
        }
        request.event = .permissionRequest
        request.opening += 1
        request.resolution = nil
        request.ask(for: seconds, from: hook.now)
        request.isTerminalPrompt = hook.source.isAttended
        request.input = hook.tool.kept
        offer(on: &request, facts)
        request.relayToken = hook.source.relayToken
        request.bodyDigest = hook.source.bodyDigest
        return request
    }
}
