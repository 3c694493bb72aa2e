/// What becomes of a PreToolUse call: the first line of the list that applies.
enum PreToolUseVerdict: Hashable {
    case allow(by: [SessionRule])
    case deny(by: SessionRule)
    case hold
    /// Nobody can be asked.
    case noApprover
    /// Why there is no opinion, for the log.
    case pass(String)
}

extension BrokerState {
    func verdict(on hook: PreToolUseHook, _ facts: CallFacts) -> PreToolUseVerdict {
        let base = hook.base
        if let rule = facts.denying { return .deny(by: rule) }
        if base.tool.kind.isForUser { return .pass("asked at PermissionRequest") }
        let mayBeDenied = facts.mayDeny != nil
        if !mayBeDenied, let reason = policy.passes(base.event.agent, base.event.permissionMode) {
            return .pass(reason)
        }
        if !facts.allowing.isEmpty { return .allow(by: facts.allowing) }
        if !mayBeDenied, let reason = facts.unasked { return .pass(reason) }
        return approvers > 0 || policy.noApprover == .hold ? .hold : .noApprover
    }
}
