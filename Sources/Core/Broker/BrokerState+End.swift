/// The end of held requests. Every end goes through `conclude`, so each opening has exactly one.
extension BrokerState {
    /// Goes on after a commit that the store has written, or could not write.
    /// - Parameter limit: The most decisions of a list that one call works off. While `isFollowed(id)` is false, call
    ///   this again; other inputs can be handled between two calls.
    package mutating func committed(
        _ id: CommitID, _ isWritten: Bool, at now: Instant, limit: Int = .max
    ) -> [BrokerEffect] {
        switch commits.removeValue(forKey: id) {
        case .announce(let ids): return ids.flatMap { opened($0, at: now.wall) }
        case .decide(let ids):
            if ids.count > limit { commits[id] = .decide(Array(ids.dropFirst(limit))) }
            return decide(Array(ids.prefix(limit)), isWritten, at: now)
        case .confirm(let id, let rules, let call, let index):
            return confirm(id, rules, call, index, isWritten: isWritten)
        case .gate(let session, let before, let gate, let call):
            return gateWritten(isWritten, session: session, from: before, to: gate, call)
        case .endSession(let session, let waiter):
            return sessionEnd(session, id, waiter, isWritten: isWritten, at: now.wall)
        case .inherit(let session, let rules, let waiter):
            return inherited(session, rules, waiter, isWritten: isWritten)
        case .returnSession(let id): return rewrite(id)
        case .revoke(let rule, let call): return [.revoked(call, revocation(of: rule, isWritten))]
        case nil: return []
        }
    }

    /// True once `committed` has worked off the whole commit.
    package func isFollowed(_ id: CommitID) -> Bool { commits[id] == nil }

    /// Shows the card of a request whose opening is written. If the request has ended meanwhile, its end may have been
    /// written before its opening, so the end is written again: otherwise the store would keep the request open for
    /// ever.
    private mutating func opened(_ id: String, at now: Timestamp) -> [BrokerEffect] {
        guard requests[id] == nil, let ended = requests.endedRequest(id) else {
            requests.update(id) { $0.isOpened = true }
            return requests[id]?.isBeingExplained == true ? [] : announce(id, at: now)
        }
        return [.append([.request(ended)])]
    }

    /// Ends the requests as their pending decisions say, and takes the granted rules into force.
    private mutating func decide(_ ids: [String], _ isWritten: Bool, at now: Instant) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        var rules: [SessionRule] = []
        for id in ids {
            guard let held = requests[id], var decision = held.pendingDecision else { continue }
            // The rules are dropped where their session has ended, the granting device was revoked, or other rules took
            // the room in the session while these were being written.
            if isWritten { decision.resolution = stillAllowed(held, decision, at: now) }
            let session = held.request.sessionID
            let isDropped =
                sessions[session] == nil || decision.isSessionOver || decision.caller.map(isRevoked) == true
                || !ruleBook.hasRoom(for: decision.rules.count, session: session)
            if isDropped, !decision.rules.isEmpty {
                effects += decision.rules.map { .append([.deleteRule(id: $0.id)]) }
                decision.rules = []
                decision.resolution.scope = .once
            }
            effects += isWritten ? grant(held, decision, at: now) : withhold(held, decision, at: now)
            if isWritten || decision.resolution.decision == .deny { rules += decision.rules }
        }
        for rule in rules { effects += add(rule, at: now) }
        if isWritten { effects += Set(rules.map(\.sessionID)).sorted().flatMap(rewrite) }
        return effects + applyNew(rules, at: now)
    }

    /// The resolution of a decision that is written now. An allow by a rule is given only where the rules allow the call
    /// still: a person may have denied such calls or revoked the rule meanwhile, and that may be confirmed already.
    private func stillAllowed(
        _ held: HeldRequest, _ decision: HeldRequest.PendingDecision, at now: Instant
    ) -> Resolution {
        let allow = decision.resolution
        guard decision.isAllowByRule, mayDeny(held) != nil || decision.removals != ruleBook.removals else {
            return allow
        }
        var undecided = held
        undecided.pendingDecision = nil
        if let found = ruled(undecided, at: now), let found { return found }
        let rule = mayDeny(held)
        let isDeny = rule != nil || !held.request.agent.profile.asks
        let why = "what allowed the call is no longer in force"
        return Resolution(
            decision: isDeny ? .deny : .ask, resolver: allow.resolver,
            reason: rule.map { Self.unchecked($0, "nobody was asked") } ?? why, at: now.wall)
    }

    /// Ends the request by its decision. An answer for which no hook waits is lost unless a hook comes for it in time.
    /// - Parameter failure: What the person hears where the decision is in force and could not be written.
    private mutating func grant(
        _ held: HeldRequest, _ decision: HeldRequest.PendingDecision, isWritten: Bool = true,
        failure: ResponseFailure? = nil, at now: Instant
    ) -> [BrokerEffect] {
        var resolution = decision.resolution
        if held.waiters.isEmpty, resolution.resolver.isAnswer {
            unheard[held.request.id] = held.orphanedUntil ?? now.uptime + Self.relayGrace
            resolution.isConfirmed = false
        }
        let receipt = receipt(held.request, resolution, rules: decision.rules)
        let isWritten = isWritten && resolution == held.pendingDecision?.resolution
        return conclude(held, resolution, isWritten: isWritten, at: now.wall)
            + settle(held, failure.map { .failure($0) } ?? .success(receipt))
    }

    /// Ends the request where its decision could not be written. A deny is given all the same, and not confirmed to the
    /// person: if the daemon is killed before it is written, the request is open again and its rules, which are in
    /// force, are lost. An allow is not given, since the audit log would not show it.
    private mutating func withhold(
        _ held: HeldRequest, _ decision: HeldRequest.PendingDecision, at now: Instant
    ) -> [BrokerEffect] {
        guard decision.resolution.decision == .allow else {
            let rows = ruleRows(decision.rules, session: held.request.sessionID)
            var decision = decision
            if decision.resolution.resolver.isPerson { decision.resolution.isConfirmed = false }
            let failure = Self.unwritten(decision.resolution, isForSession: !rows.isEmpty)
            return (rows.isEmpty ? [] : [.append(rows)])
                + grant(held, decision, isWritten: false, failure: failure, at: now)
        }
        var resolution = decision.resolution
        let asksItself = held.request.agent.profile.asks && mayDeny(held) == nil
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

    /// What a person hears whose decision Claude was told and the disk does not hold. It is written once that works.
    static func unwritten(_ resolution: Resolution, isForSession: Bool) -> ResponseFailure {
        let what = resolution.decision == .deny ? "the call was denied" : "the call was left to the agent's own prompt"
        return .unrecorded(
            isForSession
                ? "\(what), and what you denied for the session is in force, but it could not be written down: "
                    + "it is lost if the daemon ends before that works; see `cdev status` for the reason"
                : "\(what), but that could not be written down: the call may be asked again if the daemon ends before "
                    + "that works; see `cdev status` for the reason")
    }

    /// Tells the callers that answered the request the outcome.
    private mutating func settle(
        _ held: HeldRequest, _ result: Result<PermissionReceipt, ResponseFailure>
    ) -> [BrokerEffect] {
        for claim in held.claims { calls[claim.call]?.note(result, at: claim.index) }
        var seen: Set<CallID> = []
        return held.claims.filter { seen.insert($0.call).inserted }.flatMap { finishIfDone($0.call) }
    }

    /// Publishes the card, once for each opening.
    mutating func announce(_ id: String, at now: Timestamp) -> [BrokerEffect] {
        guard let held = requests[id], !held.isAnnounced else { return [] }
        requests.update(id) { $0.isAnnounced = true }
        return publish(.permission(held.request), session: held.request.sessionID, at: now)
    }

    /// Ends a held request: answers its waiters, and publishes the resolution.
    mutating func conclude(
        _ held: HeldRequest, _ resolution: Resolution, isWritten: Bool = false, at now: Timestamp
    ) -> [BrokerEffect] {
        unevaluated.remove(held.request.id)
        let resolution = safe(resolution, of: held)
        var effects = announce(held.request.id, at: now)
        var request = held.request
        request.resolution = resolution
        requests.end(request.id, as: request)
        settleLedger(request, resolution, isHeard: !held.waiters.isEmpty)
        denies.note(request, resolution)
        changed.note(request)
        if !isWritten { effects.append(.append([.request(request)])) }
        let reply = recordedReply(request)
        for waiter in held.waiters {
            waiting[waiter] = nil
            effects.append(.answer(waiter, reply))
        }
        effects += publish(
            .permissionResolved(request, resolution, corrects: false), session: request.sessionID, at: now)
        if let overtaken = held.pendingDecision?.overtakenBy { effects += correct(request, overtaken, at: now) }
        return effects
    }

    /// Returns the hook's answer for an ended request: an allow only where a person or a rule allowed the call. Where
    /// nobody decided, the call is denied if its agent does not ask by itself: no opinion would let the call run.
    func recordedReply(_ request: PermissionRequest) -> HookReply {
        let receipt = DeliveryReceipt(requestID: request.id, opening: request.opening)
        guard let resolution = request.resolution else { return HookReply(.pass) }
        switch (resolution.decision, resolution.resolver) {
        // The input as the agent sent it was not allowed.
        case (.allow, _) where resolution.isUnread:
            let reason = "the input that was allowed could not be read"
            return HookReply(request.agent.profile.asks ? .pass : .deny(message: reason))
        case (.allow, .device), (.allow, .link), (.allow, .local), (.allow, .rule):
            let answer = HookAnswer.allow(reason: resolution.reason, update: resolution.update)
            return HookReply(answer, receipt: receipt)
        case (.deny, _):
            return HookReply(.deny(message: resolution.message ?? resolution.reason), receipt: receipt)
        case (.ask, _) where request.event == .preToolUse:
            return HookReply(.ask(reason: resolution.reason), receipt: receipt)
        case (_, .hookGone), (_, .lost), (_, .terminal):
            if let denial = resolution.message { return HookReply(.deny(message: denial), receipt: receipt) }
            let answer = request.agent.profile.asks ? HookAnswer.pass : .deny(message: resolution.reason)
            return HookReply(answer, receipt: receipt)
        default:
            return HookReply(.pass, receipt: receipt)
        }
    }

    /// Notes in the ledger how a PreToolUse request ended.
    /// - Parameter isHeard: False while no hook has the answer. A person's allow then answers no dialog: the call that it
    ///   was given for may have run long ago, and the dialog be of another that looks the same.
    mutating func settleLedger(_ request: PermissionRequest, _ resolution: Resolution, isHeard: Bool = true) {
        guard request.event == .preToolUse else { return }
        switch (resolution.decision, resolution.resolver) {
        case (.deny, _): ledger.settle(request, as: .denied)
        case (_, .timeout): ledger.settle(request, as: .timedOut)
        case (.allow, .rule): ledger.settle(request, as: .allowedByRule)
        case (.allow, _) where resolution.resolver.isPerson:
            ledger.settle(request, as: isHeard ? .allowedByPerson : .asked, input: resolution.update)
        default: ledger.settle(request, as: .asked)
        }
    }

    /// Notes that the hook's connection took the answer, or was closed before.
    package mutating func delivered(
        _ receipt: DeliveryReceipt, _ isDelivered: Bool, at now: Instant
    ) -> [BrokerEffect] {
        if isDelivered, let unasked = denies.heard(receipt.requestID) { return [.append([.request(unasked)])] }
        guard let request = requests.endedRequest(receipt.requestID), request.opening == receipt.opening,
            let resolution = request.resolution, !resolution.isDelivered
        else { return [] }
        guard isDelivered || resolution.resolver.isAnswer else { return [] }
        if !isDelivered { settleLedger(request, resolution, isHeard: false) }
        unheard[request.id] = isDelivered ? nil : now.uptime + Self.relayGrace
        let updated = requests.updateEnded(request.id) { request in
            request.resolution?.isDelivered = isDelivered
            request.resolution?.isConfirmed = isDelivered && !request.isTerminalPrompt
        }
        return updated.map { [.append([.request($0)])] } ?? []
    }

    /// The connection of a waiter closed. A request for which nobody waits ends, unless its decision is being written.
    package mutating func left(_ waiter: Waiter, at now: Instant) -> [BrokerEffect] {
        guard let id = waiting.removeValue(forKey: waiter) else { return [] }
        requests.update(id) { $0.waiters.removeAll { $0 == waiter } }
        guard let held = requests[id], held.waiters.isEmpty, !held.isDeciding else { return [] }
        let reason = "Claude no longer waits for an answer: the call was refused or interrupted, or Claude has ended"
        return conclude(
            held, Resolution(decision: .pass, resolver: .hookGone, reason: reason, at: now.wall), at: now.wall)
    }
}
