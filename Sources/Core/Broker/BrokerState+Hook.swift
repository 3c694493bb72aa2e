/// The input of hooks.
extension BrokerState {
    /// Takes a hook's call. All hooks of all agents come in here, in the order of their connections.
    /// - Parameter facts: The answers to `inquiry`, gathered just now. Without facts they are gathered here, however
    ///   long the disk takes.
    package mutating func receive(
        _ call: HookCall, waiter: Waiter, facts: CallFacts? = nil, at now: Instant
    ) -> [BrokerEffect] {
        guard !call.event.agent.profile.isBystander else {
            return noteBystander(call, at: now.wall) + [.answer(waiter, HookReply(.pass))]
        }
        let session = call.event.sessionID
        var effects = catchUp(before: call, at: now)
        let call = counted(call)
        let isBack = endings[session] != nil
        effects += publishEnding(of: session, at: now.wall) + makeRoom(for: call, at: now.wall)
        let (before, isNew) = (sessions[session], sessions.isNew(session))
        let isChanged = sessions.observe(call, at: now, startTime: startTime)
        nextHousekeeping = nextHousekeeping ?? now.uptime + Self.housekeepingInterval
        if isChanged { effects += remember(session, isBack: isBack) }
        effects += rememberProcesses()
        if sessions[session]?.claudePID != before?.claudePID { effects += applyToRelatives(of: session, at: now) }
        switch ReceivedHook(call, waiter: waiter, at: now) {
        case .preToolUse(let hook): effects += preToolUse(hook, facts)
        case .permissionRequest(let hook): effects += permissionRequest(hook, facts)
        case .observation(let seen) where call.event.name == .sessionEnd:
            keepCleared(seen, before, at: now)
            effects += sessionEnded(seen, waiter)
        case .observation(let seen):
            let inheritance = inherit(seen, isNew: isNew, waiter, at: now)
            let answer = changedCall(seen) ?? .pass
            effects += observe(seen) + (inheritance ?? [.answer(waiter, HookReply(answer))])
        }
        return effects
    }

    /// Writes a session's row.
    /// - Parameter isBack: An earlier end of the session is still being written. What is appended may be written before
    ///   that end, and the next start would take the session for over and drop its rules, so the row is committed.
    private mutating func remember(_ id: String, isBack: Bool) -> [BrokerEffect] {
        guard let session = sessions[id] else { return [] }
        let row = StoreChange.session(session.withoutTools)
        return [isBack ? commit([row], .normal, then: .returnSession(id)) : .append([row])]
    }

    /// Writes a session's row again after a commit that held it: a newer row that was appended meanwhile may have been
    /// written before the commit's.
    func rewrite(_ id: String) -> [BrokerEffect] {
        sessions[id].map { [.append([.session($0.withoutTools)])] } ?? []
    }

    /// Ends one session where the event would start one more than the limit.
    private mutating func makeRoom(for call: HookCall, at now: Timestamp) -> [BrokerEffect] {
        guard sessions[call.event.sessionID] == nil,
            let surplus = sessions.surplus(
                for: call.source, where: { requests.heldCount(session: $0.id) == 0 })
        else { return [] }
        return endSession(surplus.id, reason: "too many sessions", at: now)
    }
}
