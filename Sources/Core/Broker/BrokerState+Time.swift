/// Deadlines and housekeeping: requests that time out, answers that no relay fetches, sessions and rules that are over.
extension BrokerState {
    /// Seconds within which a relay has to come for a restored request or for an answer; a relay looks for the daemon
    /// for five.
    static let relayGrace: Double = 10
    /// Seconds between two looks at abandoned sessions and expired rules.
    static let housekeepingInterval: Double = 30

    /// When `timePassed` must be called next; `nil` while nothing is due.
    package mutating func nextWake() -> Uptime? {
        [nextByClock(), unevaluated.due].compactMap { $0 }.min()
    }

    private mutating func nextByClock() -> Uptime? {
        [requests.nextDeadline(), nextHousekeeping, unheard.values.min()].compactMap { $0 }.min()
    }

    /// Requests that one call of `timePassed` works off in about a millisecond. A restart may end thousands at a time.
    package static let dueAtOnce = 25

    /// Does what is due at `now`. Of the requests that end and of the answers that are lost it takes at most `limit`
    /// each, and of the requests that wait for their evaluation one slice. While there are more, `nextWake` is not after
    /// `now`, and other inputs can be handled between two calls.
    package mutating func timePassed(at now: Instant, limit: Int = dueAtOnce) -> [BrokerEffect] {
        let effects = clockPassed(at: now, limit: limit)
        guard let next = unevaluated.due, next <= now.uptime else { return effects }
        return effects + (ruleBook.mayExpire(at: now.uptime) ? expireRules(at: now) : []) + evaluateSlice(at: now)
    }

    private mutating func clockPassed(at now: Instant, limit: Int = dueAtOnce) -> [BrokerEffect] {
        var effects = endDue(at: now, limit: limit) + lose(at: now, limit: limit)
        if let housekeeping = nextHousekeeping, housekeeping <= now.uptime { effects += doHousekeeping(at: now) }
        return effects
    }

    /// Does what is due before a hook's call is evaluated, without waiting for the timer, which may fire late, as after
    /// the machine's sleep: a rule that has expired, or was granted to a process that has ended, must not settle the
    /// call.
    package mutating func catchUp(before call: HookCall, at now: Instant) -> [BrokerEffect] {
        let call = counted(call)
        var effects = nextByClock().map { $0 <= now.uptime } == true ? clockPassed(at: now) : []
        if ruleBook.mayExpire(at: now.uptime) { effects += expireRules(at: now) }
        if let session = sessions.replaced(by: call, startTime: startTime) {
            effects += endAbandoned(session, at: now)
        }
        return effects + disinherit(before: call) + takeOver(before: call)
    }

    private mutating func expireRules(at now: Instant) -> [BrokerEffect] {
        drop(ruleBook.expire(at: now.uptime))
    }

    /// Ends a session whose process has ended. After a restart, requests that still wait for their relays end as lost
    /// first; until then only the session's rules are dropped.
    private mutating func endAbandoned(_ session: ExternalSession, at now: Instant) -> [BrokerEffect] {
        let isAwaited = requests.heldIDs(session: session.id).contains { requests[$0]?.orphanedUntil != nil }
        return isAwaited ? dropRules(session.id) : endSession(session.id, reason: "process gone", at: now.wall)
    }

    /// Ends a session whose process is known to have ended, with what it asked: no relay comes for that any more.
    package mutating func processEnded(session id: String, at now: Instant) -> [BrokerEffect] {
        guard let session = sessions[id], session.isAbandoned(startTime: startTime) else { return [] }
        return endSession(id, reason: "process gone", at: now.wall)
    }

    /// Ends the requests whose deadline, or whose wait for a relay, is over: at most `limit` of them.
    mutating func endDue(at now: Instant, limit: Int) -> [BrokerEffect] {
        requests.takeDue(at: now.uptime, limit: limit).flatMap { due($0, at: now) }
    }

    /// Ends a request that is due, unless its decision is being written.
    private mutating func due(_ id: String, at now: Instant) -> [BrokerEffect] {
        guard let held = requests[id], !held.isDeciding else { return [] }
        if held.due <= now.uptime {
            return conclude(held, timeout(held.request, at: now.wall), at: now.wall)
        }
        let reason = "its hook did not come back within \(Int(Self.relayGrace)) s of a restart of the daemon"
        return conclude(
            held, Resolution(decision: .pass, resolver: .lost, reason: reason, at: now.wall), at: now.wall)
    }

    /// The resolution by `on_timeout`, never an allow. Beside a dialog it is no opinion, since the dialog can still be
    /// answered.
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
        let reason = decision == .deny ? "\(waited), and \(why)" : waited
        return Resolution(decision: decision, resolver: .timeout, reason: reason, at: now)
    }

    /// Corrects the resolutions whose answers no hook has fetched in time: the person's answer had no effect, so the
    /// request is passed as lost. A hook that comes for a deny later still hears it.
    private mutating func lose(at now: Instant, limit: Int) -> [BrokerEffect] {
        let due = unheard.filter { $0.value <= now.uptime }.keys.sorted().prefix(limit)
        return due.flatMap { id -> [BrokerEffect] in
            unheard[id] = nil
            guard let request = requests.endedRequest(id), let answer = request.resolution, answer.isUnheard else {
                return []
            }
            let words = OutcomeWords.decision(answer.decision.rawValue)
            let reason = "nobody heard that it was \(words): the call's hook did not come for the answer"
            let denial = answer.decision == .deny ? answer.message ?? answer.reason : nil
            let resolution = Resolution(
                decision: .pass, resolver: .lost, reason: reason, at: now.wall, message: denial)
            settleLedger(request, resolution)
            return replaceEnd(of: request, with: resolution, at: now.wall)
        }
    }

    /// Forgets processes, rules and sessions that are over, and writes what the sessions did last.
    mutating func doHousekeeping(at now: Instant) -> [BrokerEffect] {
        nextHousekeeping = now.uptime + Self.housekeepingInterval
        sessions.forgetDeadProcesses(startTime: startTime)
        var effects = rememberProcesses()
        effects += expireRules(at: now)
        for session in sessions.abandoned(startTime: startTime) { effects += endAbandoned(session, at: now) }
        effects += retryEndings()
        effects += rememberSessions()
        for session in sessions.forgotten(at: now.uptime) where requests.heldCount(session: session.id) == 0 {
            effects += endSession(session.id, reason: "silent for a day", at: now.wall)
        }
        return effects
    }

    /// Writes the time of the last activity and the tool history of the sessions that changed.
    package mutating func rememberSessions() -> [BrokerEffect] {
        let sessions = sessions.takeUnwritten()
        return sessions.isEmpty ? [] : [.append(sessions.map { .session($0) })]
    }

    /// Writes which agent processes have started or ended, so that a later daemon recognises the processes inside an
    /// agent.
    mutating func rememberProcesses() -> [BrokerEffect] {
        let changes = sessions.takeClaudeChanges()
        return changes.isEmpty ? [] : [.append(changes)]
    }
}
