/// How a session ends: its questions and rules go with it, and are gone for good before anybody is told.
extension BrokerState {
    /// SessionEnd. The hook is answered once the end is written, or cannot be.
    mutating func sessionEnded(_ seen: Observation, _ waiter: Waiter) -> [BrokerEffect] {
        let event = seen.event
        guard ownsTools(of: seen.call), sessions[event.sessionID] != nil else {
            return endQuestions(seen) { _ in true } + [.answer(waiter, HookReply(.pass))]
        }
        let reason = event.details.reason ?? "other"
        return endSession(event.sessionID, reason: reason, waiter: waiter, at: seen.now)
    }

    /// Ends what waits in a session, drops its rules and forgets it.
    mutating func endSession(
        _ id: String, reason: String, waiter: Waiter? = nil, at now: Timestamp
    ) -> [BrokerEffect] {
        guard var session = sessions[id] else { return [] }
        var effects = endUnreported(id, now) { _ in true }
        for open in requests.heldIDs(session: id) { effects += answeredInTerminal(open, ran: false, now) }
        ledger.remove(session: id) { _ in true }
        _ = takeRules(of: id)
        _ = sessions.remove(id)
        requests.forgetUntied(session: id)
        session.endedAt = now
        // Its questions are in the log; what its tools were is nobody's any more.
        session.tools = []
        let commit = begin(.endSession(id, waiter))
        endings[id] = SessionEnding(commit: commit, event: .sessionEnd(sessionID: id, cwd: session.cwd, reason: reason))
        // Deleted by session, not one by one: what a person granted a moment ago may still be on its way to the disk.
        return effects + [.commit(commit, [.deleteRules(sessionID: id), .session(session)], .removal)]
    }

    mutating func dropRules(_ session: String) -> [BrokerEffect] {
        takeRules(of: session) ? [.append([.deleteRules(sessionID: session)])] : []
    }

    /// Takes a session's rules out of force, and those that are still being written: where it comes back under its id before
    /// they are, they would be in force in it. False where there are none.
    private mutating func takeRules(of session: String) -> Bool {
        let granting = requests.heldIDs(session: session).filter { id in
            requests[id]?.pendingDecision?.rules.isEmpty == false
        }
        for id in granting { requests.update(id) { $0.pendingDecision?.isSessionOver = true } }
        return !ruleBook.removeAll(session: session).isEmpty || !granting.isEmpty
    }

    /// The end is written, or the store tries again by itself: the session has ended either way.
    mutating func sessionEnd(
        _ session: String, _ commit: CommitID, _ waiter: Waiter?, at now: Timestamp
    ) -> [BrokerEffect] {
        let told = endings[session]?.commit == commit ? tellEnding(of: session, at: now) : []
        return told + (waiter.map { [.answer($0, HookReply(.pass))] } ?? [])
    }

    /// Publishes an end that waits to be written: a session that comes back meanwhile begins after it.
    mutating func tellEnding(of session: String, at now: Timestamp) -> [BrokerEffect] {
        guard let ending = endings.removeValue(forKey: session) else { return [] }
        return publish(ending.event, session: session, at: now)
    }
}
