/// What the clock ends: questions, lost relays, sessions without a process, old rules.
extension BrokerState {
    package mutating func timePassed(at now: Timestamp) -> [BrokerEffect] {
        var effects = questions.takeDue(at: now).flatMap { due($0, at: now) }
        if let housekeeping = nextHousekeeping, housekeeping <= now {
            nextHousekeeping = now + Self.housekeepingInterval
            effects += keepHouse(at: now)
        }
        return effects
    }

    private mutating func due(_ id: String, at now: Timestamp) -> [BrokerEffect] {
        guard let question = questions[id], !question.isDeciding else { return [] }
        if question.request.deadline <= now { return conclude(question, timeout(question.request, at: now), at: now) }
        let reason = "its relay did not come back within \(Int(Self.relayGrace)) s of a restart of the daemon"
        return conclude(question, Resolution(decision: .pass, resolver: .lost, reason: reason, at: now), at: now)
    }

    /// Never an allow. Beside a dialog it is no opinion: the dialog stands.
    private func timeout(_ request: PermissionRequest, at now: Timestamp) -> Resolution {
        let seconds = Int(request.deadline.seconds(since: request.createdAt).rounded())
        let waited = request.opening == 1 ? "nobody answered within \(seconds) s" : "nobody answered in time"
        let policy: Decision =
            switch self.policy.onTimeout {
            case .ask: .ask
            case .deny: .deny
            case .pass: .pass
            }
        let decision = request.event == .permissionRequest ? .pass : Self.effective(policy, for: request)
        let why =
            self.policy.onTimeout == .deny ? "on_timeout is deny" : "\(request.agent.name) cannot ask at its own prompt"
        let reason = decision == .deny ? "cdev: \(waited), and \(why)" : waited
        return Resolution(decision: decision, resolver: .timeout, reason: reason, at: now)
    }

    private mutating func keepHouse(at now: Timestamp) -> [BrokerEffect] {
        sessions.forgetDeadProcesses(startTime: startTime)
        let expired = ruleBook.expire(at: now)
        var effects: [BrokerEffect] = expired.isEmpty ? [] : [.append(expired.map { .deleteRule(id: $0.id) })]
        for session in sessions.abandoned(startTime: startTime) {
            // After a restart its questions are lost, and say so, before it ends.
            let isAwaited = questions.openIDs(session: session.id).contains { questions[$0]?.orphanedUntil != nil }
            effects += isAwaited ? dropRules(session.id) : endSession(session.id, reason: "process gone", at: now)
        }
        effects += rememberSessions()
        for session in sessions.forgotten(at: now) where questions.heldCount(session: session.id) == 0 {
            effects += endSession(session.id, reason: "silent for a day", at: now)
        }
        return effects
    }

    /// Writes when sessions were last heard of, and what their tools did.
    package mutating func rememberSessions() -> [BrokerEffect] {
        let sessions = sessions.takeUnwritten()
        return sessions.isEmpty ? [] : [.append(sessions.map { .session($0) })]
    }

    /// What the store says was open is offered again to its relay, or closed as lost.
    package mutating func restore(_ remembered: Remembered, at now: Timestamp) -> [BrokerEffect] {
        counters.start(at: remembered.nextSequence)
        for session in remembered.sessions.suffix(SessionBook.limit) { sessions.restore(session, at: now) }
        var effects = remembered.rules.flatMap { restore($0) }
        for request in remembered.requests { restore(request, at: now) }
        nextHousekeeping = now + Self.housekeepingInterval
        // Rules that ran out and sessions that ended while nobody looked must not settle the first call that comes.
        if let ceiling = counters.reserve() { effects.append(.append([.sequenceCeiling(ceiling)])) }
        effects += keepHouse(at: now)
        // Nor is a card shown again that the clock or a rule would end.
        effects += questions.takeDue(at: now).flatMap { due($0, at: now) }
        return effects + settleByRules(remembered.requests.filter(\.isOpen).map(\.id), at: now)
    }

    /// A rule whose session is over went with it, whatever the store still has.
    private mutating func restore(_ rule: SessionRule) -> [BrokerEffect] {
        sessions[rule.sessionID] == nil ? [.append([.deleteRule(id: rule.id)])] : add(rule)
    }

    private mutating func restore(_ stored: PermissionRequest, at now: Timestamp) {
        let request = guarded(stored)
        let place = RulePlace(root: sessions[request.sessionID]?.root ?? "", cwd: request.cwd)
        if request.isOpen {
            questions.insert(
                Question(
                    request: request, place: place, isAnnounced: true, orphanedUntil: now + Self.relayGrace))
        } else {
            questions.remember(request)
            if let resolution = request.resolution {
                denies.note(request, resolution, isHeard: resolution.isDelivered)
            }
        }
        guard request.event == .preToolUse, request.toolUseID != request.id else { return }
        let entry = CallLedger.Entry(
            toolUseID: request.toolUseID, requestID: request.id, agentID: request.agentID,
            promptID: request.promptID, cwd: request.cwd, toolName: request.toolName, input: request.toolInput,
            outcome: .held, isUnverified: request.isUnverified)
        ledger.add(entry, session: request.sessionID)
        guard let resolution = request.resolution else { return }
        settleLedger(request, resolution)
        // What a person allowed may have run long ago: it answers a dialog only once its hook has come for the answer.
        if resolution.decision == .allow, resolution.resolver.isPerson { ledger.settle(request, as: .asked) }
    }

    /// What has to be confirmed now, whatever the configuration said before the restart.
    private func guarded(_ stored: PermissionRequest) -> PermissionRequest {
        var request = stored
        request.confirm = policy.confirm.prompt(for: request.toolName, input: request.toolInput)
        if request.isOpen, request.confirm != nil { request.patterns = [] }
        return request
    }
}
