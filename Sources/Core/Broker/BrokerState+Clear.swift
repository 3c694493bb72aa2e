/// The rules over `/clear`: Claude Code ends the session and goes on in the same process under a new id. Its rules go on
/// too, where the process proves to be the same one; anything doubtful ends them.
extension BrokerState {
    /// The values of a session that was cleared, until its process names the next session.
    struct ClearedSession {
        let process: ProcessIdentity
        let root: String
        let gate: Policy.Gate?
        /// Each with the time of its last match.
        var rules: [(rule: SessionRule, matched: Uptime)]
        let until: Uptime
    }

    /// Seconds. Claude Code starts the next session right after the hook of the end was answered.
    static let clearedFor: Double = 10
    /// The most sessions that are kept so.
    static let mostCleared = 64

    /// Keeps the rules of a session that is about to end by `/clear`.
    /// - Parameter before: The session as it was known before this event.
    mutating func keepCleared(_ seen: Observation, _ before: ExternalSession?, at now: Instant) {
        guard seen.event.details.reason == "clear", seen.event.agentID == nil,
            let process = provenProcess(of: seen.call), let before, !before.isUnverified, !before.root.isEmpty,
            before.claudePID == process.pid, before.claudeStartTime == process.startTime
        else { return }
        cleared = cleared.filter { now.uptime < $0.value.until }
        guard cleared.count < Self.mostCleared else { return }
        cleared[process.pid] = ClearedSession(
            process: process, root: before.root, gate: before.gate, rules: ruleBook.matches(session: before.id),
            until: now.uptime + Self.clearedFor)
    }

    /// Gives a new session what the session before `/clear` left. Whatever comes of it, nothing is left afterwards.
    /// - Parameter isNew: The daemon never knew a session with this id.
    /// The hook is answered once that is written: what the session before left is deleted already, and a deny that was
    /// confirmed must not end by a kill.
    /// - Returns: `nil` where nothing is left.
    mutating func inherit(
        _ seen: Observation, isNew: Bool, _ waiter: Waiter, at now: Instant
    ) -> [BrokerEffect]? {
        let event = seen.event
        guard event.name == .sessionStart, event.details.startSource == "clear", let pid = seen.source.claudePID,
            let left = cleared.removeValue(forKey: pid), isNew, provenProcess(of: seen.call) == left.process,
            now.uptime < left.until, let session = sessions[event.sessionID], session.claudePID == pid,
            session.root.hasSameBytes(as: left.root)
        else { return nil }
        guard let heir = sessions.makeHeir(event.sessionID, gate: left.gate) else { return nil }
        let moved = left.rules.filter { $0.rule.deviceID.map(revokedDevices.contains) != true }
            .map { (rule: $0.rule.moved(to: event.sessionID), matched: Optional($0.matched)) }
        let dropped = ruleBook.add(moved, at: now)
        let rows = [.session(heir)] + moved.map { .rule($0.rule) } + dropped.map { StoreChange.deleteRule(id: $0.id) }
        return [commit(rows, .removal, then: .inherit(session: event.sessionID, rules: moved.map(\.rule.id), waiter))]
    }

    /// Answers the hook of a session that goes on. Where its rules could not be written they are in force and queued, as
    /// far as neither they nor the session have ended meanwhile. Rules that went out of force meanwhile are deleted again:
    /// what was appended then may have been written before the commit.
    func inherited(_ id: String, _ rules: [String], _ waiter: Waiter, isWritten: Bool) -> [BrokerEffect] {
        let gone = rules.filter { !ruleBook.holds($0) }
        var rows = gone.map { StoreChange.deleteRule(id: $0) }
        if !isWritten { rows += ruleBook.list(session: id).map { .rule($0) } }
        let reply = HookReply(.pass, failure: isWritten ? nil : Self.unwrittenHeir)
        return rewrite(id) + (rows.isEmpty ? [] : [.append(rows)]) + [.answer(waiter, reply)]
    }

    private static let unwrittenHeir =
        "the rules of the cleared session go on, but that could not be written down: they are lost if the daemon ends "
        + "before that works; see `cdev status` for the reason"

    /// Drops the allow rules that a session inherited, where an event of it does not come from the process that left
    /// them: its id could have been chosen by that process for a session of another one.
    mutating func disinherit(before call: HookCall) -> [BrokerEffect] {
        guard call.source.isVerified, let session = sessions[call.event.sessionID], session.isHeir,
            let pid = session.claudePID, call.source.claudePID != pid || startTime(pid) != session.claudeStartTime
        else { return [] }
        return drop(ruleBook.remove(session: session.id) { $0.effect == .allow })
    }

    /// Takes rules out of what cleared sessions left.
    mutating func takeCleared(where matches: (SessionRule) -> Bool) -> [SessionRule] {
        let taken = cleared.values.flatMap { $0.rules.map(\.rule).filter(matches) }
        for pid in cleared.keys { cleared[pid]?.rules.removeAll { matches($0.rule) } }
        return taken
    }

    /// The agent's process that an event comes from, where the kernel says that the sender is one of its descendants;
    /// else `nil`.
    private func provenProcess(of call: HookCall) -> ProcessIdentity? {
        let source = call.source
        guard source.isVerified, source.isBelowAgent, call.event.agent.profile.takesAllowRules,
            let pid = source.claudePID, let started = startTime(pid)
        else { return nil }
        return ProcessIdentity(pid: pid, startTime: started)
    }
}

extension SessionRule {
    fileprivate func moved(to session: String) -> SessionRule {
        SessionRule(
            id: id, sessionID: session, effect: effect, pattern: pattern, createdAt: createdAt, grantedBy: grantedBy,
            deviceID: deviceID, requestID: requestID, lastMatch: lastMatch)
    }
}
