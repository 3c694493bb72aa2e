import OrderedJSON

/// PermissionRequest hooks: each is tied to the call that its dialog is about, and settled at once or held beside the
/// dialog.
extension BrokerState {
    mutating func permissionRequest(_ hook: PermissionRequestHook, _ facts: CallFacts?) -> [BrokerEffect] {
        let base = hook.base
        if let repeated = joinRepeat(base) { return repeated }
        let facts = facts ?? gatherFacts(base)
        let announced = ledger.claim(hook)
        if let rule = facts.denying {
            return deny(base, by: rule)
        }
        if announced?.outcome == .allowedByPerson, facts.mayDeny == nil {
            let reason = "allowed when the call was announced"
            return [.answer(base.waiter, HookReply(.allow(reason: reason, updatedInput: nil)))]
        }
        return ask(hook, announced, facts)
    }

    /// Holds the call for a person, unless nobody can be asked.
    /// - Parameter announced: The call as PreToolUse announced it; `nil` where the ledger has no such call.
    private mutating func ask(
        _ hook: PermissionRequestHook, _ announced: CallLedger.Entry?, _ facts: CallFacts
    ) -> [BrokerEffect] {
        let base = hook.base
        // The terminal shows the dialogs of the main agent only: a subagent's call cannot be answered there.
        let isAttended = base.event.agent.profile.isAttendanceKnown && base.source.isAttended
        let hasDialog = isAttended && base.event.agentID == nil
        if !hasDialog {
            if announced?.outcome == .timedOut { return [.answer(base.waiter, HookReply(.pass))] }
            if approvers == 0, policy.noApprover != .hold, !base.source.isOfRunSession {
                return unreachable(base, facts.mayDeny)
            }
        }
        let waitsLong = hasDialog || base.source.isOfRunSession
        let seconds = waitsLong ? policy.promptTimeout : policy.permissionTimeout
        if let again = reopened(announced, by: hook, facts, seconds: seconds) {
            if let reason = crowding(base.call) { return crowded(base, reason, facts.mayDeny) }
            return open(again, facts, base)
        }
        return hold(base.named(announced?.toolUseID ?? base.tool.useID), facts, seconds: seconds)
    }

    /// Returns the request of this call that ended at PreToolUse, changed to be held once more beside the dialog.
    private func reopened(
        _ announced: CallLedger.Entry?, by hook: PermissionRequestHook, _ facts: CallFacts, seconds: Double
    ) -> PermissionRequest? {
        guard let id = announced?.requestID, var request = requests.endedRequest(id), requests[id] == nil else {
            return nil
        }
        let base = hook.base
        request.event = .permissionRequest
        request.opening += 1
        request.resolution = nil
        request.ask(for: seconds, from: base.now)
        request.isTerminalPrompt = base.source.isAttended
        request.input = base.tool.kept
        offer(on: &request, facts)
        request.relayToken = base.source.relayToken
        request.bodyDigest = base.source.bodyDigest
        return request
    }
}
