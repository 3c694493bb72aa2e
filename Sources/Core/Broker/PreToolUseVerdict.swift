/// The broker's answer to a PreToolUse call, before it is carried out.
enum PreToolUseVerdict: Hashable {
    case allow(by: [SessionRule])
    case deny(by: SessionRule)
    case hold
    /// No approver is connected, and the policy does not hold calls for later approvers.
    case noApprover
    /// No opinion, with the reason.
    case pass(String)
}

extension BrokerState {
    /// The first condition that applies decides: a deny rule wins over everything else.
    func verdict(on hook: PreToolUseHook, _ facts: CallFacts) -> PreToolUseVerdict {
        let (base, policy) = (hook.base, policy(for: hook.base.call))
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
