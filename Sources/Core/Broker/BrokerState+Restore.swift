/// The start of the daemon: the state is restored from the store before the first hook or client can connect.
extension BrokerState {
    /// Restores sessions, rules and requests. An open request is held for `relayGrace` until its relay comes back,
    /// unless the clock or a rule ends it at once.
    package mutating func restore(_ remembered: Remembered, at now: Instant) -> [BrokerEffect] {
        counters.start(at: remembered.nextSequence)
        for process in remembered.claudes { sessions.restore(process) }
        for session in remembered.sessions.suffix(SessionBook.limit) { sessions.restore(session, at: now.uptime) }
        var effects = restore(remembered.rules, at: now)
        requests.reserve(remembered.requests.count { $0.isOpen })
        for request in remembered.requests { restore(request, at: now) }
        if let ceiling = counters.reserve() { effects.append(.append([.sequenceCeiling(ceiling)])) }
        // Rules and sessions that ended while no daemon ran must not settle the first call, and the card of a request
        // that the clock or a rule ends is not shown again.
        effects += doHousekeeping(at: now) + endDue(at: now, limit: Self.dueAtOnce)
        let open = remembered.requests.map(\.id).filter { isWaiting($0, at: now) }
        if ruleBook.count > 0 {
            let read = open.filter { requests[$0]?.request.input.bytesElsewhere == nil }
            unevaluated.add(read, at: now.uptime + Self.evaluationDelay)
            effects += evaluateSlice(at: now)
        }
        for (place, id) in open.reversed().enumerated() {
            effects += explainAgain(id, fromTranscript: place < Self.readAgain)
        }
        return effects
    }

    /// The most open requests, of the latest, for which a start reads transcripts. The others have no last words.
    private static let readAgain = 64

    private mutating func explainAgain(_ id: String, fromTranscript isRead: Bool) -> [BrokerEffect] {
        guard var held = requests[id] else { return [] }
        let effects = explain(&held)
        if !isRead { held.isBeingExplained = false }
        requests.update(id) { $0 = held }
        return isRead ? effects : []
    }

    /// Seconds after a start at which the next slice is evaluated: the relays that wait for the daemon come first.
    private static let evaluationDelay = 0.1

    /// False for a request that has ended, and where the clock ends it in a later slice: no rule may allow it then.
    private func isWaiting(_ id: String, at now: Instant) -> Bool {
        requests[id].map { $0.due > now.uptime } ?? false
    }

    /// Drops rules whose session is over: they ended with the session, even if the store still has them. The day of a deny
    /// rule begins again: its age is known by the wall clock only, and a clock set ahead must not end a deny.
    private mutating func restore(_ rules: [SessionRule], at now: Instant) -> [BrokerEffect] {
        let over = rules.filter { sessions[$0.sessionID] == nil }
        let going = rules.filter { sessions[$0.sessionID] != nil }
        let dropped = ruleBook.add(going.map { ($0, $0.effect == .deny ? now.uptime : nil) }, at: now)
        return over.isEmpty && dropped.isEmpty ? [] : [.append((over + dropped).map { .deleteRule(id: $0.id) })]
    }

    private mutating func restore(_ stored: PermissionRequest, at now: Instant) {
        if stored.isOpen {
            reopen(stored.resumed(under: policy, at: now), at: now)
        } else {
            remember(stored, at: now)
        }
        restoreCall(of: stored)
    }

    private mutating func reopen(_ request: PermissionRequest, at now: Instant) {
        let place = RulePlace(root: sessions[request.sessionID]?.root ?? "", cwd: request.cwd)
        var request = request
        request.root = place.root
        request.isOutside = isOutside(request, at: place)
        var held = HeldRequest(
            request: request, place: place, isAnnounced: true, isDenyChecked: false,
            orphanedUntil: now.uptime + Self.relayGrace)
        if !request.agent.profile.showsWholeInput { held.isInputUncertain = nil }
        requests.insert(held)
    }

    /// `nil` where the start cannot tell if the file lies in the project.
    private func isOutside(_ request: PermissionRequest, at place: RulePlace) -> Bool? {
        guard request.tool.kind == .fileChanges else { return false }
        guard request.input.bytesElsewhere == nil else { return nil }
        let call = ToolCall(tool: request.tool, kept: request.input, useID: request.toolUseID)
        let hurried = evaluator.hurried()
        let isOutside = hurried.evaluator.editsOutsideRoot(call, at: place)
        return hurried.isSure() ? isOutside : nil
    }

    private mutating func remember(_ request: PermissionRequest, at now: Instant) {
        requests.remember(request)
        guard let resolution = request.resolution else { return }
        denies.note(request, resolution, isHeard: resolution.isDelivered)
        if sessions[request.sessionID] != nil { changed.note(request) }
        if resolution.isUnheard { unheard[request.id] = now.uptime + Self.relayGrace }
    }

    /// Puts the call of a PreToolUse request back into the ledger, for the PermissionRequest that may follow.
    private mutating func restoreCall(of request: PermissionRequest) {
        guard request.event == .preToolUse, request.toolUseID != request.id else { return }
        let entry = CallLedger.Entry(
            toolUseID: request.toolUseID, requestID: request.id, agentID: request.agentID,
            promptID: request.promptID, cwd: request.cwd, toolName: request.toolName, input: request.input,
            outcome: .held, isUnverified: request.isUnverified)
        ledger.add(entry, session: request.sessionID)
        guard let resolution = request.resolution else { return }
        settleLedger(request, resolution, isHeard: false)
    }
}

extension PermissionRequest {
    /// Returns the open request as it goes on after a restart: with the word that has to confirm it by the present
    /// configuration, and with the time that is left of its deadline.
    fileprivate func resumed(under policy: Policy, at now: Instant) -> PermissionRequest {
        var request = self
        if input.bytesElsewhere == nil {
            request.noteConfirmation(policy.confirm.prompt(for: tool, input: toolInput))
        } else {
            // Nobody can allow the call before its relay brings the input back, and then the word is determined.
            request.confirm = policy.confirm.promptUnseen(for: tool)
        }
        let left = timeLeft(under: policy, at: now)
        request.due = now.uptime + left
        // If somebody set the clock, people are shown the end by the clock as it is now.
        if deadline.seconds(since: now.wall) > left + 1 { request.deadline = now.wall + left }
        return request
    }

    /// Sets the word that has to confirm the request. Such a request offers no session rule.
    mutating func noteConfirmation(_ word: String?) {
        confirm = word
        if word != nil { patterns = [] }
    }

    /// Seconds. Where the two clocks disagree, one was set or the machine was booted: the shorter time counts, so that
    /// nobody is kept waiting. Where the machine was booted only the wall clock is left; it is believed for at most the
    /// time that the policy gives a new request.
    private func timeLeft(under policy: Policy, at now: Instant) -> Double {
        let shown = deadline.seconds(since: now.wall)
        let longest = isTerminalPrompt ? policy.promptTimeout : policy.permissionTimeout
        let measured = due?.seconds(since: now.uptime) ?? longest
        return max(0, min(shown, measured))
    }
}
