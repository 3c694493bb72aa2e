/// The clock ends questions, lost relays, sessions without a process and old rules.
extension BrokerState {
    package mutating func timePassed(at now: Instant) -> [BrokerEffect] {
        var effects = questions.takeDue(at: now.uptime).flatMap { due($0, at: now) }
        effects += lose(at: now)
        if let housekeeping = nextHousekeeping, housekeeping <= now.uptime {
            nextHousekeeping = now.uptime + Self.housekeepingInterval
            effects += keepHouse(at: now)
        }
        return effects
    }

    /// What is due before a hook is looked at: its timer may come later, as after the machine's sleep, and a rule that has
    /// run out by now, or was granted to a process that is gone, must not settle the call.
    package mutating func comeToNow(before call: HookCall, at now: Instant) -> [BrokerEffect] {
        var effects = nextWake().map { $0 <= now.uptime } == true ? timePassed(at: now) : []
        if ruleBook.mayExpire(at: now.uptime) { effects += expireRules(at: now) }
        if let session = sessions.replaced(by: call, startTime: startTime) {
            effects += endAbandoned(session, at: now)
        }
        return effects
    }

    private mutating func expireRules(at now: Instant) -> [BrokerEffect] {
        let expired = ruleBook.expire(at: now.uptime)
        return expired.isEmpty ? [] : [.append(expired.map { .deleteRule(id: $0.id) })]
    }

    /// After a restart a session's questions are lost, and say so, before it ends.
    private mutating func endAbandoned(_ session: ExternalSession, at now: Instant) -> [BrokerEffect] {
        let isAwaited = questions.openIDs(session: session.id).contains { questions[$0]?.orphanedUntil != nil }
        return isAwaited ? dropRules(session.id) : endSession(session.id, reason: "process gone", at: now.wall)
    }

    private mutating func due(_ id: String, at now: Instant) -> [BrokerEffect] {
        guard let question = questions[id], !question.isDeciding else { return [] }
        if question.due <= now.uptime {
            return conclude(question, timeout(question.request, at: now.wall), at: now.wall)
        }
        let reason = "its relay did not come back within \(Int(Self.relayGrace)) s of a restart of the daemon"
        return conclude(
            question, Resolution(decision: .pass, resolver: .lost, reason: reason, at: now.wall), at: now.wall)
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
        var decision = request.event == .permissionRequest ? .pass : Self.effective(policy, for: request)
        let why =
            self.policy.onTimeout == .deny ? "on_timeout is deny" : "\(request.agent.name) cannot ask at its own prompt"
        var reason = decision == .deny ? "cdev: \(waited), and \(why)" : waited
        // Where no dialog stands, no opinion would let run what a person may have denied.
        if decision == .pass, request.event == .preToolUse, let unseen = request.mayBeDenied {
            decision = .deny
            reason = unseen + ", and " + waited
        }
        return Resolution(decision: decision, resolver: .timeout, reason: reason, at: now)
    }

    private mutating func keepHouse(at now: Instant) -> [BrokerEffect] {
        sessions.forgetDeadProcesses(startTime: startTime)
        var effects = rememberProcesses()
        effects += expireRules(at: now)
        for session in sessions.abandoned(startTime: startTime) { effects += endAbandoned(session, at: now) }
        effects += rememberSessions()
        for session in sessions.forgotten(at: now.uptime) where questions.heldCount(session: session.id) == 0 {
            effects += endSession(session.id, reason: "silent for a day", at: now.wall)
        }
        return effects
    }

    /// Writes when sessions were last heard of, and what their tools did.
    package mutating func rememberSessions() -> [BrokerEffect] {
        let sessions = sessions.takeUnwritten()
        return sessions.isEmpty ? [] : [.append(sessions.map { .session($0) })]
    }

    /// Claude's processes are written down as long as they live, so that a later daemon knows what runs inside them.
    mutating func rememberProcesses() -> [BrokerEffect] {
        let changes = sessions.takeClaudeChanges()
        return changes.isEmpty ? [] : [.append(changes)]
    }

    /// What the store says was open is offered again to its relay, or closed as lost.
    package mutating func restore(_ remembered: Remembered, at now: Instant) -> [BrokerEffect] {
        counters.start(at: remembered.nextSequence)
        for process in remembered.claudes { sessions.restore(process) }
        for session in remembered.sessions.suffix(SessionBook.limit) { sessions.restore(session, at: now.uptime) }
        var effects = remembered.rules.flatMap { restore($0, at: now) }
        for request in remembered.requests { restore(request, at: now) }
        nextHousekeeping = now.uptime + Self.housekeepingInterval
        // Rules that ran out and sessions that ended while nobody looked must not settle the first call that comes.
        if let ceiling = counters.reserve() { effects.append(.append([.sequenceCeiling(ceiling)])) }
        effects += keepHouse(at: now)
        // Nor is a card shown again that the clock or a rule would end.
        effects += questions.takeDue(at: now.uptime).flatMap { due($0, at: now) }
        return effects + settleByRules(remembered.requests.filter(\.isOpen).map(\.id), at: now.wall)
    }

    /// A rule whose session is over went with it, whatever the store still has.
    private mutating func restore(_ rule: SessionRule, at now: Instant) -> [BrokerEffect] {
        sessions[rule.sessionID] == nil ? [.append([.deleteRule(id: rule.id)])] : add(rule, at: now)
    }

    private mutating func restore(_ stored: PermissionRequest, at now: Instant) {
        let request = guarded(stored, at: now)
        let place = RulePlace(root: sessions[request.sessionID]?.root ?? "", cwd: request.cwd)
        if request.isOpen {
            questions.insert(
                Question(
                    request: request, place: place, isAnnounced: true, orphanedUntil: now.uptime + Self.relayGrace))
        } else {
            questions.remember(request)
            if let resolution = request.resolution {
                denies.note(request, resolution, isHeard: resolution.isDelivered)
            }
            if request.resolution?.isUnheard == true {
                unheard[request.id] = now.uptime + Self.relayGrace
            }
        }
        guard request.event == .preToolUse, request.toolUseID != request.id else { return }
        let entry = CallLedger.Entry(
            toolUseID: request.toolUseID, requestID: request.id, agentID: request.agentID,
            promptID: request.promptID, cwd: request.cwd, toolName: request.toolName, input: request.input,
            outcome: .held, isUnverified: request.isUnverified)
        ledger.add(entry, session: request.sessionID)
        guard let resolution = request.resolution else { return }
        settleLedger(request, resolution)
        // What a person allowed may have run long ago: it answers a dialog only once its hook has come for the answer.
        if resolution.decision == .allow, resolution.resolver.isPerson { ledger.settle(request, as: .asked) }
    }

    /// Returns the request with what has to be confirmed now, whatever the configuration said before the restart.
    private func guarded(_ stored: PermissionRequest, at now: Instant) -> PermissionRequest {
        guard stored.isOpen else { return stored }
        var request = stored
        // An input that was not read comes back with its relay, and is not looked through then either.
        request.confirm =
            request.input.bytesElsewhere == nil
            ? policy.confirm.prompt(for: request.tool, input: request.toolInput)
            : policy.confirm.promptUnseen(for: request.tool)
        if request.confirm != nil { request.patterns = [] }
        let left = timeLeft(of: stored, at: now)
        request.due = now.uptime + left
        // Somebody set the clock: people are shown when it ends by the clock of now.
        if stored.deadline.seconds(since: now.wall) > left + 1 { request.deadline = now.wall + left }
        return request
    }

    /// Seconds. Where the two clocks disagree one of them was set, or the machine was started anew: the shorter time
    /// counts, so that nobody is kept waiting. Where only one is left, it is believed for as long as any question is asked.
    private func timeLeft(of request: PermissionRequest, at now: Instant) -> Double {
        let shown = request.deadline.seconds(since: now.wall)
        let longest = request.isTerminalPrompt ? policy.promptTimeout : policy.permissionTimeout
        let measured = request.due?.seconds(since: now.uptime) ?? longest
        return max(0, min(shown, measured))
    }
}
