/// Session rules: how they come into force, settle held requests and are revoked.
extension BrokerState {
    package func rules(session: String?) -> [SessionRule] {
        ruleBook.list(session: session)
    }

    /// Takes a rule out of force at once. The revocation is confirmed once the deletion is written, so that no start
    /// brings the rule back. If that fails, the rule stays revoked, and a second call of `revoke` tries the deletion
    /// again.
    package mutating func revoke(_ id: String, call: CallID) -> [BrokerEffect] {
        guard let rule = ruleBook.remove(id) ?? revokedRules[id] else {
            return [.revoked(call, .failure(.unknown(id: id)))]
        }
        revokedRules[id] = rule
        return [commit([.deleteRule(id: id)], .removal, then: .revoke(rule, call))]
    }

    /// The outcome of a revocation whose deletion was written, or could not be.
    mutating func revocation(of rule: SessionRule, _ isWritten: Bool) -> Result<SessionRule, RevocationFailure> {
        guard isWritten else { return .failure(.unwritten(rule)) }
        revokedRules[rule.id] = nil
        return .success(rule)
    }

    /// Takes a rule into force, and deletes the rules that had to make room for it.
    mutating func add(_ rule: SessionRule, at now: Instant) -> [BrokerEffect] {
        let dropped = ruleBook.add(rule, at: now)
        return dropped.isEmpty ? [] : [.append(dropped.map { .deleteRule(id: $0.id) })]
    }

    /// Ends the requests that are held at PreToolUse and that a new rule covers, in slices.
    mutating func applyNew(_ rules: [SessionRule], at now: Instant) -> [BrokerEffect] {
        guard !rules.isEmpty else { return [] }
        let denied = rules.filter { $0.effect == .deny }.flatMap { relatives(of: $0.sessionID) }
        let sessions = Set(rules.map(\.sessionID) + denied).sorted()
        return evaluate(sessions.flatMap { requests.heldIDs(session: $0) }, at: now)
    }

    /// Ends those of the held requests that the rules in force cover. The ends are written, all by one commit, before
    /// the hooks hear them: otherwise a crash could bring back the card of a call that runs already, and a person's
    /// deny of that card would be confirmed.
    mutating func settleByRules(_ ids: [String], at now: Instant) -> [BrokerEffect] {
        var settled: [String] = []
        for id in ids {
            unevaluated.remove(id)
            guard let held = requests[id] else { continue }
            let (found, isChecked) = ruled(held, at: now)
            if isChecked, held.request.mayBeDenied != nil { requests.update(id) { $0.request.mayBeDenied = nil } }
            guard let resolution = found else { continue }
            let decision = HeldRequest.PendingDecision(resolution: resolution, rules: [], caller: nil)
            requests.update(id) { $0.pendingDecision = decision }
            settled.append(id)
        }
        return settled.isEmpty ? [] : [commit(settled.flatMap { changes(of: $0) }, .full, then: .decide(settled))]
    }

    /// The resolution by a rule in force; `nil` where no rule covers the request, or where that cannot be said at once.
    /// `isChecked` is true where the deny rules could be evaluated.
    private func ruled(_ held: HeldRequest, at now: Instant) -> (resolution: Resolution?, isChecked: Bool) {
        let request = held.request
        guard request.event == .preToolUse, !request.isUnverified, !held.isDeciding,
            request.input.bytesElsewhere == nil, request.input.size <= Self.evaluatedAgain
        else { return (nil, isChecked: held.orphanedUntil != nil && uncheckedDeny(of: held) == nil) }
        // A session may hold many requests, so no disk is waited for: the person who was asked decides instead.
        let hurried = evaluator.hurried()
        let resolution = ruled(held, hurried.evaluator, at: now.wall)
        // A request that is due is ended by the clock in a later slice.
        guard hurried.isSure(), resolution?.decision != .allow || held.due > now.uptime else {
            return (nil, isChecked: hurried.isSure())
        }
        return (resolution, isChecked: true)
    }

    /// A deny rule that may cover the request, where that cannot be said at once; else `nil`.
    func uncheckedDeny(of held: HeldRequest) -> SessionRule? {
        let (request, deny) = (held.request, denyRules(session: held.request.sessionID))
        guard let rule = deny.first(forTool: request.toolName) else { return nil }
        if request.input.bytesElsewhere == nil, request.input.size <= Self.evaluatedAgain {
            let hurried = evaluator.hurried()
            _ = hurried.evaluator.denying(held.call, at: held.place, among: deny)
            if hurried.isSure() { return nil }
        }
        return rule
    }

    /// The most bytes of an input that is evaluated by a new rule on the loop, where every connection waits for it.
    static let evaluatedAgain = 16 << 10

    private func ruled(_ held: HeldRequest, _ evaluator: any RuleEvaluator, at now: Timestamp) -> Resolution? {
        let request = held.request
        let deny = denyRules(session: request.sessionID)
        if let rule = evaluator.denying(held.call, at: held.place, among: deny) {
            return Resolution(
                decision: .deny, scope: .session, resolver: .rule(id: rule.id),
                reason: "denied for this session by \(rule.grantedBy): \(rule.pattern)", at: now)
        }
        guard !request.tool.kind.isForUser, request.confirm == nil else { return nil }
        let allow = ruleBook.rules(session: request.sessionID, .allow)
        guard let rule = evaluator.allowing(held.call, at: held.place, among: allow).first else { return nil }
        return Resolution(
            decision: .allow, scope: .session, resolver: .rule(id: rule.id),
            reason: "allowed for this session by \(rule.grantedBy): \(rule.pattern)", at: now)
    }
}
