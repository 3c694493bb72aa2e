/// Session rules: how they come into force, settle held requests and are revoked.
extension BrokerState {
    package func rules(session: String?) -> [SessionRule] {
        ruleBook.list(session: session)
    }

    /// Takes a rule out of force at once. The revocation is confirmed once the deletion is written, so that no start
    /// brings the rule back. If that fails, the rule stays revoked, and a second call of `revoke` tries the deletion
    /// again.
    package mutating func revoke(_ id: String, call: CallID) -> [BrokerEffect] {
        let kept = takeCleared { $0.id == id }
        guard let rule = ruleBook.remove(id) ?? kept.first ?? revokedRules[id] else {
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

    /// Takes a new rule into force, and deletes the rules that had to make room for it. Its day begins now: a clock that
    /// was set ahead while the rule was being written must not end what was just confirmed.
    mutating func add(_ rule: SessionRule, at now: Instant) -> [BrokerEffect] {
        let dropped = ruleBook.add([(rule, now.uptime)], at: now)
        return dropped.isEmpty ? [] : [.append(dropped.map { .deleteRule(id: $0.id) })]
    }

    /// Ends the requests that are held at PreToolUse and that a new rule covers, in slices.
    mutating func applyNew(_ rules: [SessionRule], at now: Instant) -> [BrokerEffect] {
        guard !rules.isEmpty else { return [] }
        let denied = Set(rules.filter { $0.effect == .deny }.flatMap { [$0.sessionID] + relatives(of: $0.sessionID) })
        doubt(denied)
        let sessions = denied.union(rules.map(\.sessionID)).sorted()
        return evaluate(sessions.flatMap { requests.heldIDs(session: $0) }, at: now)
    }

    private mutating func doubt(_ sessions: Set<String>) {
        for id in sessions.flatMap({ requests.heldIDs(session: $0) }) {
            requests.update(id) { $0.isDenyChecked = false }
        }
    }

    /// Evaluates what a session and its relatives hold, where it has joined the process of others: what was denied in one
    /// of them counts in all from now on.
    mutating func applyToRelatives(of session: String, at now: Instant) -> [BrokerEffect] {
        let relatives = relatives(of: session)
        guard !relatives.isEmpty, !denyRules(session: session).isEmpty else { return [] }
        doubt(Set(relatives + [session]))
        return evaluate((relatives + [session]).sorted().flatMap { requests.heldIDs(session: $0) }, at: now)
    }

    /// Ends those of the held requests that the rules in force cover. The ends are written, all by one commit, before
    /// the hooks hear them: otherwise a crash could bring back the card of a call that runs already, and a person's
    /// deny of that card would be confirmed.
    mutating func settleByRules(_ ids: [String], at now: Instant) -> [BrokerEffect] {
        var settled: [String] = []
        for id in ids {
            unevaluated.remove(id)
            guard let held = requests[id] else { continue }
            guard let found = ruled(held, at: now) else { continue }
            requests.update(id) { held in
                held.isDenyChecked = true
                held.pendingDecision = found.map { end in
                    HeldRequest.PendingDecision(resolution: end, rules: [], caller: nil, removals: ruleBook.removals)
                }
            }
            if found != nil { settled.append(id) }
        }
        return settled.isEmpty ? [] : [commit(settled.flatMap { changes(of: $0) }, .full, then: .decide(settled))]
    }

    /// The resolution by the rules in force, `nil` within if none covers the request; `nil` where that cannot be said at
    /// once.
    func ruled(_ held: HeldRequest, at now: Instant) -> Resolution?? {
        let request = held.request
        guard request.event == .preToolUse, !held.isDeciding, request.input.bytesElsewhere == nil,
            request.input.size <= Self.evaluatedAgain,
            held.isInputUncertain != nil || denyRules(session: request.sessionID).isEmpty
        else { return nil }
        // A session may hold many requests, so no disk is waited for: the person who was asked decides instead.
        let hurried = evaluator.hurried()
        let resolution = ruled(held, hurried.evaluator, at: now.wall)
        // A person decides what a deny rule may cover; if nobody does, it ends as a deny.
        let deny = denyRules(session: request.sessionID)
        let isDoubtful =
            resolution?.decision != .deny && hurried.evaluator.mayDeny(held.call, at: held.place, among: deny) != nil
        guard hurried.isSure(), !isDoubtful else { return nil }
        // A request that is due is ended by the clock in a later slice.
        guard resolution?.decision != .allow || held.due > now.uptime else { return .some(nil) }
        return resolution
    }

    /// The most bytes of an input that is evaluated by a new rule on the loop, where every connection waits for it.
    static let evaluatedAgain = 16 << 10

    private func ruled(_ held: HeldRequest, _ evaluator: any RuleEvaluator, at now: Timestamp) -> Resolution? {
        let request = held.request
        let deny = denyRules(session: request.sessionID)
        let isUncertain = held.isInputUncertain == true
        if let rule = isUncertain ? deny.all.first : evaluator.denying(held.call, at: held.place, among: deny) {
            return Self.denied(by: rule, isInputUncertain: isUncertain, request.agent, at: now)
        }
        guard !request.isUnverified, !request.tool.kind.isForUser, request.confirm == nil else { return nil }
        let allow = ruleBook.rules(session: request.sessionID, .allow)
        guard let rule = evaluator.allowing(held.call, at: held.place, among: allow).first else { return nil }
        return Resolution(
            decision: .allow, scope: .session, resolver: .rule(id: rule.id),
            reason: "\(rule.words): \(rule.pattern)", at: now)
    }
}
