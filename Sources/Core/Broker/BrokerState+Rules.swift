/// Session rules: granted, applied to what already waits, revoked, forgotten.
extension BrokerState {
    package func rules(session: String?) -> [SessionRule] {
        ruleBook.list(session: session)
    }

    /// Takes a rule out of force at once. That is confirmed when its deletion is written, so that no start brings the rule
    /// back; where it cannot be, whoever asks again is told how it stands then.
    package mutating func revoke(_ id: String, call: CallID) -> [BrokerEffect] {
        guard let rule = ruleBook.remove(id) ?? takenBack[id] else {
            return [.revoked(call, .failure(.unknown(id: id)))]
        }
        takenBack[id] = rule
        return [commit([.deleteRule(id: id)], .removal, then: .revoke(rule, call))]
    }

    mutating func revocation(of rule: SessionRule, _ isWritten: Bool) -> Result<SessionRule, RevocationFailure> {
        guard isWritten else { return .failure(.unwritten(rule)) }
        takenBack[rule.id] = nil
        return .success(rule)
    }

    mutating func add(_ rule: SessionRule, at now: Instant) -> [BrokerEffect] {
        let dropped = ruleBook.add(rule, at: now)
        return dropped.isEmpty ? [] : [.append(dropped.map { .deleteRule(id: $0.id) })]
    }

    /// What waits at PreToolUse and is covered by a new rule is answered by it.
    mutating func applyNew(_ rules: [SessionRule], at now: Timestamp) -> [BrokerEffect] {
        let denied = rules.filter { $0.effect == .deny }.flatMap { relatives(of: $0.sessionID) }
        let sessions = Set(rules.map(\.sessionID) + denied).sorted()
        return settleByRules(sessions.flatMap { requests.heldIDs(session: $0) }, at: now)
    }

    /// Ends those of the open questions that the rules in force cover. Their cards are in the store, so their ends are
    /// written before their hooks hear them, all by one commit: after a crash a card whose hook was told to go on would be
    /// offered again, and a person's deny of it confirmed.
    mutating func settleByRules(_ ids: [String], at now: Timestamp) -> [BrokerEffect] {
        var settled: [String] = []
        for id in ids {
            guard let held = requests[id], let resolution = ruled(held, at: now) else { continue }
            let decision = HeldRequest.PendingDecision(resolution: resolution, rules: [], caller: nil)
            requests.update(id) { $0.pendingDecision = decision }
            settled.append(id)
        }
        return settled.isEmpty ? [] : [commit(settled.flatMap { changes(of: $0) }, .full, then: .decide(settled))]
    }

    private func ruled(_ held: HeldRequest, at now: Timestamp) -> Resolution? {
        let request = held.request
        guard request.event == .preToolUse, !request.isUnverified, !held.isDeciding,
            request.input.bytesElsewhere == nil, request.input.size <= Self.judgedAgain
        else { return nil }
        // A session may have many: what cannot be said at once stays with the person who was asked.
        let hurried = judge.hurried()
        let resolution = ruled(held, hurried.judge, at: now)
        return hurried.isSure() ? resolution : nil
    }

    /// Bytes of an input that is held against a new rule while everybody waits.
    private static let judgedAgain = 16 << 10

    private func ruled(_ held: HeldRequest, _ judge: any RuleJudge, at now: Timestamp) -> Resolution? {
        let request = held.request
        let deny = denyRules(session: request.sessionID)
        if let rule = judge.denying(held.call, at: held.place, among: deny) {
            return Resolution(
                decision: .deny, scope: .session, resolver: .rule(id: rule.id),
                reason: "denied for this session by \(rule.grantedBy): \(rule.pattern)", at: now)
        }
        guard !request.tool.kind.isForUser, request.confirm == nil else { return nil }
        let allow = ruleBook.rules(session: request.sessionID, .allow)
        guard let rule = judge.allowing(held.call, at: held.place, among: allow).first else { return nil }
        return Resolution(
            decision: .allow, scope: .session, resolver: .rule(id: rule.id),
            reason: "allowed for this session by \(rule.grantedBy): \(rule.pattern)", at: now)
    }
}
