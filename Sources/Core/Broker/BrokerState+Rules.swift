/// Session rules: granted, applied to what already waits, revoked, forgotten.
extension BrokerState {
    package func rules(session: String?) -> [SessionRule] {
        ruleBook.list(session: session)
    }

    /// Takes a rule out of force; `nil` where there is none of this id.
    package mutating func revoke(_ id: String) -> (rule: SessionRule, effects: [BrokerEffect])? {
        ruleBook.remove(id).map { ($0, [.append([.deleteRule(id: id)])]) }
    }

    mutating func add(_ rule: SessionRule) -> [BrokerEffect] {
        let dropped = ruleBook.add(rule)
        return dropped.isEmpty ? [] : [.append(dropped.map { .deleteRule(id: $0.id) })]
    }

    /// What waits at PreToolUse and is covered by a new rule is answered by it.
    mutating func applyNew(_ rules: [SessionRule], at now: Timestamp) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for session in Set(rules.map(\.sessionID)).sorted() {
            for id in questions.openIDs(session: session) {
                guard let question = questions[id], let resolution = ruled(question, at: now) else { continue }
                effects += conclude(question, resolution, at: now)
            }
        }
        return effects
    }

    private func ruled(_ question: Question, at now: Timestamp) -> Resolution? {
        let request = question.request
        guard request.event == .preToolUse, !request.isUnverified, !question.isDeciding else { return nil }
        let deny = ruleBook.rules(session: request.sessionID, .deny)
        if let rule = judge.denying(question.call, at: question.place, among: deny) {
            return Resolution(
                decision: .deny, scope: .session, resolver: .rule(id: rule.id),
                reason: "denied for this session by \(rule.grantedBy): \(rule.pattern)", at: now)
        }
        guard !Self.userQuestions.contains(request.toolName), request.confirm == nil else { return nil }
        let allow = ruleBook.rules(session: request.sessionID, .allow)
        guard let rule = judge.allowing(question.call, at: question.place, among: allow).first else { return nil }
        return Resolution(
            decision: .allow, scope: .session, resolver: .rule(id: rule.id),
            reason: "allowed for this session by \(rule.grantedBy): \(rule.pattern)", at: now)
    }
}
