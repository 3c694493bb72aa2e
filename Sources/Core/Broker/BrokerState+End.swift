/// How a question ends. Every end goes through `conclude`, so each opening has exactly one.
extension BrokerState {
    /// The store has written a commit, or says why not. Of a list of decisions at most `limit` are followed up; while
    /// `isFollowed(id)` is false, call it again: others get their turn between two slices.
    package mutating func committed(
        _ id: CommitID, _ isWritten: Bool, at now: Instant, limit: Int = .max
    ) -> [BrokerEffect] {
        switch commits.removeValue(forKey: id) {
        case .announce(let ids): return ids.flatMap { opened($0, at: now.wall) }
        case .decide(let ids):
            if ids.count > limit { commits[id] = .decide(Array(ids.dropFirst(limit))) }
            return decide(Array(ids.prefix(limit)), isWritten, at: now)
        case .endSession(let session, let waiter): return sessionEnd(session, id, waiter, at: now.wall)
        case .revoke(let rule, let call): return [.revoked(call, revocation(of: rule, isWritten))]
        case nil: return []
        }
    }

    /// True where nothing of a commit is left to do.
    package func isFollowed(_ id: CommitID) -> Bool { commits[id] == nil }

    /// What ends while its opening is still on its way to the disk may be written before it: then the end is written
    /// once more, or the store would hold an open question for ever.
    private mutating func opened(_ id: String, at now: Timestamp) -> [BrokerEffect] {
        guard requests[id] == nil, let ended = requests.endedRequest(id) else { return announce(id, at: now) }
        return [.append([.request(ended)])]
    }

    private mutating func decide(_ ids: [String], _ isWritten: Bool, at now: Instant) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        var rules: [SessionRule] = []
        for id in ids {
            guard let held = requests[id], var decision = held.pendingDecision else { continue }
            // Rules die with their session or the device that granted them, also those that were written while it ended
            // or while others took the room.
            let session = held.request.sessionID
            if sessions[session] == nil || decision.isSessionOver || decision.caller.map(isRevoked) == true
                || !ruleBook.hasRoom(for: decision.rules.count, session: session)
            {
                effects += decision.rules.map { .append([.deleteRule(id: $0.id)]) }
                decision.rules = []
            }
            effects += isWritten ? grant(held, decision, at: now) : withhold(held, decision, at: now)
            if isWritten || decision.resolution.decision == .deny { rules += decision.rules }
        }
        for rule in rules { effects += add(rule, at: now) }
        return effects + applyNew(rules, at: now.wall)
    }

    private mutating func grant(
        _ held: HeldRequest, _ decision: HeldRequest.PendingDecision, isWritten: Bool = true, at now: Instant
    ) -> [BrokerEffect] {
        var resolution = decision.resolution
        if held.waiters.isEmpty, resolution.resolver.isAnswer {
            unheard[held.request.id] = held.orphanedUntil ?? now.uptime + Self.relayGrace
            resolution.isConfirmed = false
        }
        let receipt = receipt(held.request, resolution, rules: decision.rules)
        let isWritten = isWritten && resolution.isConfirmed == decision.resolution.isConfirmed
        return conclude(held, resolution, isWritten: isWritten, at: now.wall) + settle(held, .success(receipt))
    }

    /// The disk took nothing. A deny is given all the same; an allow nobody could ever trace is not.
    private mutating func withhold(
        _ held: HeldRequest, _ decision: HeldRequest.PendingDecision, at now: Instant
    ) -> [BrokerEffect] {
        guard decision.resolution.decision == .allow else {
            return grant(held, decision, isWritten: false, at: now)
        }
        var resolution = decision.resolution
        let asksItself = held.request.agent.profile.asks
        resolution.decision = asksItself ? .pass : .deny
        resolution.scope = nil
        resolution.update = nil
        resolution.reason =
            "the allow could not be written down, so it was not given; "
            + (asksItself ? "Claude asks by itself" : "the call is denied")
        let failure = ResponseFailure.unrecorded(
            "the decision could not be recorded, so Claude was not told to go on; see `cdev status` for the reason")
        return conclude(held, resolution, isWritten: false, at: now.wall) + settle(held, .failure(failure))
    }

    private mutating func settle(
        _ held: HeldRequest, _ result: Result<PermissionReceipt, ResponseFailure>
    ) -> [BrokerEffect] {
        for claim in held.claims { calls[claim.call]?.note(result, at: claim.index) }
        var seen: Set<CallID> = []
        return held.claims.filter { seen.insert($0.call).inserted }.flatMap { finishIfDone($0.call) }
    }

    /// Shows the card, once for each opening.
    mutating func announce(_ id: String, at now: Timestamp) -> [BrokerEffect] {
        guard let held = requests[id], !held.isAnnounced else { return [] }
        requests.update(id) { $0.isAnnounced = true }
        return publish(.permission(held.request), session: held.request.sessionID, at: now)
    }

    /// Ends an open question: its waiters hear the answer, everybody hears who decided.
    mutating func conclude(
        _ held: HeldRequest, _ resolution: Resolution, isWritten: Bool = false, at now: Timestamp
    ) -> [BrokerEffect] {
        var effects = announce(held.request.id, at: now)
        var request = held.request
        request.resolution = resolution
        requests.end(request.id, as: request)
        settleLedger(request, resolution)
        denies.note(request, resolution)
        if !isWritten { effects.append(.append([.request(request)])) }
        for waiter in held.waiters {
            waiting[waiter] = nil
            effects.append(.answer(waiter, recordedReply(request)))
        }
        effects += publish(
            .permissionResolved(request, resolution, corrects: false), session: request.sessionID, at: now)
        if let overtaken = held.pendingDecision?.overtakenBy { effects += correct(request, overtaken, at: now) }
        return effects
    }

    /// What a hook hears of an ended question. Only a person's or a rule's allow is ever an allow.
    func recordedReply(_ request: PermissionRequest) -> HookReply {
        let receipt = DeliveryReceipt(requestID: request.id, opening: request.opening)
        guard let resolution = request.resolution else { return HookReply(.pass) }
        switch (resolution.decision, resolution.resolver) {
        case (.allow, .device), (.allow, .link), (.allow, .local), (.allow, .rule):
            let answer = HookAnswer.allow(reason: resolution.reason, update: resolution.update)
            return HookReply(answer, receipt: receipt)
        case (.deny, _):
            return HookReply(.deny(message: resolution.message ?? resolution.reason), receipt: receipt)
        case (.ask, _) where request.event == .preToolUse:
            return HookReply(.ask(reason: resolution.reason), receipt: receipt)
        default:
            return HookReply(.pass, receipt: receipt)
        }
    }

    mutating func settleLedger(_ request: PermissionRequest, _ resolution: Resolution) {
        guard request.event == .preToolUse else { return }
        switch (resolution.decision, resolution.resolver) {
        case (.deny, _): ledger.remove(request)
        case (_, .timeout): ledger.settle(request, as: .timedOut)
        case (.allow, .rule): ledger.settle(request, as: .allowedByRule)
        case (.allow, _) where resolution.resolver.isPerson:
            ledger.settle(request, as: .allowedByPerson, input: resolution.update)
        default: ledger.settle(request, as: .asked)
        }
    }

    /// The connection took the answer, or was gone.
    package mutating func delivered(
        _ receipt: DeliveryReceipt, _ isDelivered: Bool, at now: Instant
    ) -> [BrokerEffect] {
        if isDelivered, let unasked = denies.heard(receipt.requestID) { return [.append([.request(unasked)])] }
        guard let request = requests.endedRequest(receipt.requestID), request.opening == receipt.opening,
            let resolution = request.resolution, !resolution.isDelivered
        else { return [] }
        guard isDelivered || resolution.resolver.isAnswer else { return [] }
        unheard[request.id] = isDelivered ? nil : now.uptime + Self.relayGrace
        let updated = requests.updateEnded(request.id) { request in
            request.resolution?.isDelivered = isDelivered
            request.resolution?.isConfirmed = isDelivered && !request.isTerminalPrompt
        }
        return updated.map { [.append([.request($0)])] } ?? []
    }

    /// A waiter's connection closed.
    package mutating func left(_ waiter: Waiter, at now: Instant) -> [BrokerEffect] {
        guard let id = waiting.removeValue(forKey: waiter) else { return [] }
        requests.update(id) { $0.waiters.removeAll { $0 == waiter } }
        guard let held = requests[id], held.waiters.isEmpty, !held.isDeciding else { return [] }
        let reason = "Claude no longer waits for an answer: the call was refused or interrupted, or Claude has ended"
        return conclude(
            held, Resolution(decision: .pass, resolver: .hookGone, reason: reason, at: now.wall), at: now.wall)
    }
}
