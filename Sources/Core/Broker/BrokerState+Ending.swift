/// The end of sessions. A session's held requests and rules end with it, and its end is published once it is written.
extension BrokerState {
    /// Takes a SessionEnd hook, which is answered once the session's end is written or could not be.
    mutating func sessionEnded(_ seen: Observation, _ waiter: Waiter) -> [BrokerEffect] {
        let event = seen.event
        guard ownsTools(of: seen.call), sessions[event.sessionID] != nil else {
            return endHeld(seen) { _ in true } + [.answer(waiter, HookReply(.pass))]
        }
        let reason = event.details.reason ?? "other"
        return endSession(event.sessionID, reason: reason, waiter: waiter, at: seen.now)
    }

    /// Ends a session's held requests and running tools, drops its rules and forgets the session.
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
        changed.forget(session: id)
        session.endedAt = now
        // The audit log has the session's requests; its tool history is not kept.
        session.tools = []
        let commit = begin(.endSession(id, waiter))
        let ending = SessionEnding(
            commit: commit, event: .sessionEnd(sessionID: id, cwd: session.cwd, reason: reason), session: session)
        endings[id] = ending
        return effects + [ending.write]
    }

    /// Drops the rules of a session that goes on.
    mutating func dropRules(_ session: String) -> [BrokerEffect] {
        takeRules(of: session) ? [.append([.deleteRules(sessionID: session)])] : []
    }

    /// Takes a session's rules out of force, and marks those that are still being written: otherwise they would be in
    /// force in a session that starts with the same id meanwhile. False where there are no rules of either kind.
    private mutating func takeRules(of session: String) -> Bool {
        let granting = requests.heldIDs(session: session).filter { id in
            requests[id]?.pendingDecision?.rules.isEmpty == false
        }
        for id in granting { requests.update(id) { $0.pendingDecision?.isSessionOver = true } }
        return !ruleBook.removeAll(session: session).isEmpty || !granting.isEmpty
    }

    /// Publishes the session's end once it is written, and answers the hook. An end that could not be written is tried
    /// again with the next housekeeping: until then a start would bring the session and its rules back.
    mutating func sessionEnd(
        _ session: String, _ commit: CommitID, _ waiter: Waiter?, isWritten: Bool, at now: Timestamp
    ) -> [BrokerEffect] {
        guard isWritten else {
            if endings[session]?.commit == commit { endings[session]?.isUnwritten = true }
            return waiter.map { [.answer($0, HookReply(.pass, failure: Self.unwrittenEnd))] } ?? []
        }
        let told = endings[session]?.commit == commit ? publishEnding(of: session, at: now) : []
        return told + (waiter.map { [.answer($0, HookReply(.pass))] } ?? [])
    }

    private static let unwrittenEnd =
        "the session has ended and its rules are out of force, but that could not be written down: they are back if the "
        + "daemon ends before that works; see `cdev status` for the reason"

    /// Writes the ends again that could not be written.
    mutating func retryEndings() -> [BrokerEffect] {
        endings.filter(\.value.isUnwritten).sorted { $0.key < $1.key }.map { id, ending in
            let again = SessionEnding(
                commit: begin(.endSession(id, nil)), event: ending.event, session: ending.session)
            endings[id] = again
            return again.write
        }
    }

    /// Publishes an end that may still be on its way to the disk, before the next event of a session with the same id.
    /// An end that could not be written is not published: the session has gone on.
    mutating func publishEnding(of session: String, at now: Timestamp) -> [BrokerEffect] {
        guard let ending = endings.removeValue(forKey: session), !ending.isUnwritten else { return [] }
        return publish(ending.event, session: session, at: now)
    }
}
