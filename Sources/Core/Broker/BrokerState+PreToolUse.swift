/// PreToolUse hooks: a rule, the permission mode or the policy settles the call at once, or the call is held for a
/// person.
extension BrokerState {
    mutating func preToolUse(_ hook: PreToolUseHook, _ facts: CallFacts?) -> [BrokerEffect] {
        let base = hook.base
        if let repeated = joinRepeat(base) { return repeated }
        if let useID = base.tool.useID {
            denies.begin(
                DenyWatch.Call(
                    session: base.event.sessionID, agent: base.event.agentID, toolUse: useID,
                    isUnverified: !base.source.isVerified))
        }
        let facts = facts.map { inForce($0, base) } ?? gatherFacts(base)
        return startTool(base.tool, of: base.call, at: base.now.wall) + settle(hook, facts)
    }

    /// Returns the facts, or those of an unanswered inquiry where an allow rule among the facts has expired or was
    /// revoked since they were gathered.
    private func inForce(_ facts: CallFacts, _ hook: BlockingHook) -> CallFacts {
        guard !facts.allowing.allSatisfy({ ruleBook.holds($0.id) }) else { return facts }
        return inquiry(hook.tool, of: hook.call, at: place(of: hook.call)).unknown
    }

    /// Asks the rules and settings about the call, however long the disk takes.
    func gatherFacts(_ hook: BlockingHook) -> CallFacts {
        inquiry(hook.tool, of: hook.call, at: place(of: hook.call)).facts(evaluator, claudeRules)
    }

    private mutating func settle(_ hook: PreToolUseHook, _ facts: CallFacts) -> [BrokerEffect] {
        let base = hook.base
        switch verdict(on: hook, facts) {
        case .allow(let rules):
            note(base, as: .allowedByRule)
            return allow(base, by: rules)
        case .deny(let rule):
            return deny(base, by: rule)
        case .hold where base.source.isOfRunSession, .noApprover where base.source.isOfRunSession:
            note(base, as: .passed)
            return [.answer(base.waiter, HookReply(unsettled(base, facts)))]
        case .hold:
            return hold(base, facts, seconds: patience(of: base))
        case .noApprover:
            return unreachable(base, facts.mayDeny)
        case .pass:
            note(base, as: .passed)
            return [.answer(base.waiter, HookReply(.pass))]
        }
    }

    /// The answer before a call of a run session that no rule settles: the agent asks if it would ask, and it has to where
    /// every call is asked or a deny rule may cover the call.
    private func unsettled(_ hook: BlockingHook, _ facts: CallFacts) -> HookAnswer {
        if let rule = facts.mayDeny { return .ask(reason: Self.unchecked(rule, "so you are asked")) }
        return policy(for: hook.call).gate == .always ? .ask(reason: "every call is asked") : .pass
    }

    /// Seconds that the call may be held. A relay that asks anew waits no longer than it was told first: it would leave
    /// without an opinion before the clock ends the call.
    private func patience(of hook: BlockingHook) -> Double {
        let whole = policy.permissionTimeout
        guard let token = hook.source.relayToken, let id = requests.id(token: token),
            let due = request(id: id)?.due
        else { return whole }
        return max(0, min(whole, due.seconds(since: hook.now.uptime)))
    }

    /// Enters the call into the ledger, for the PermissionRequest that may follow.
    mutating func note(_ hook: BlockingHook, as outcome: CallLedger.Outcome, request: String? = nil) {
        guard let useID = hook.tool.useID else { return }
        let entry = CallLedger.Entry(
            toolUseID: useID, requestID: request, agentID: hook.event.agentID, promptID: hook.event.promptID,
            cwd: hook.event.cwd, toolName: hook.tool.name, input: hook.tool.kept, outcome: outcome,
            isUnverified: !hook.source.isVerified)
        ledger.add(entry, session: hook.event.sessionID)
    }
}
