import OrderedJSON
import Text

extension BrokerState {
    /// A hook called. Everything Claude tells goes through here, in the order its connections came.
    /// - Parameter facts: of `inquiry`, gathered just now. Without them they are asked here, whatever the disk takes.
    package mutating func receive(
        _ event: AgentEvent, from source: HookSource, waiter: Waiter, facts: CallFacts? = nil, at now: Instant
    ) -> [BrokerEffect] {
        guard !event.agent.profile.isBystander else {
            return overlook(event, source, at: now.wall) + [.answer(waiter, HookReply(.pass))]
        }
        var effects = comeToNow(before: event, source, at: now)
        effects += tellEnding(of: event.sessionID, at: now.wall) + makeRoom(for: event.sessionID, at: now.wall)
        let isChanged = sessions.observe(event, from: source, at: now, startTime: startTime)
        nextHousekeeping = nextHousekeeping ?? now.uptime + Self.housekeepingInterval
        if isChanged, let session = sessions[event.sessionID] { effects.append(.append([.session(session)])) }
        effects += rememberProcesses()
        switch event.name {
        case .preToolUse: effects += preToolUse(event, source, waiter, facts, now)
        case .permissionRequest: effects += permissionRequest(event, source, waiter, facts, now)
        case .sessionEnd: effects += sessionEnded(event, source, waiter, now.wall)
        default: effects += observe(event, source, now.wall) + [.answer(waiter, HookReply(.pass))]
        }
        return effects
    }

    private mutating func makeRoom(for session: String, at now: Timestamp) -> [BrokerEffect] {
        guard sessions[session] == nil,
            let surplus = sessions.surplus(where: { questions.heldCount(session: $0.id) == 0 })
        else { return [] }
        return endSession(surplus.id, reason: "too many sessions", at: now)
    }

    private mutating func preToolUse(
        _ event: AgentEvent, _ source: HookSource, _ waiter: Waiter, _ facts: CallFacts?, _ now: Instant
    ) -> [BrokerEffect] {
        guard let tool = event.tool else { return [.answer(waiter, HookReply(.pass))] }
        if let repeated = joinRepeat(event, tool, source, waiter, now) { return repeated }
        if let useID = tool.useID { denies.begin(useID, session: event.sessionID) }
        let facts = facts.map { inForce($0, event, tool, source) } ?? ask(event, tool, source)
        return startTool(event, tool, source, now.wall) + settle(event, tool, source, waiter, facts, now)
    }

    /// The facts as they are, or as if nobody could say, where a rule among them has run out or was taken back since.
    private func inForce(
        _ facts: CallFacts, _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource
    ) -> CallFacts {
        guard !facts.allowing.allSatisfy({ ruleBook.holds($0.id) }) else { return facts }
        return inquiry(event, tool, source, at: place(of: event, source)).unknown
    }

    func ask(_ event: AgentEvent, _ tool: ToolCall, _ source: HookSource) -> CallFacts {
        inquiry(event, tool, source, at: place(of: event, source)).facts(judge, claudeRules)
    }

    private mutating func settle(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ waiter: Waiter, _ facts: CallFacts,
        _ now: Instant
    ) -> [BrokerEffect] {
        switch verdict(on: event, tool, facts) {
        case .allow(let rules):
            note(event, tool, source, as: .allowedByRule)
            return allow(event, tool, source, waiter, by: rules, now)
        case .deny(let rule):
            return deny(event, tool, source, waiter, by: rule, now)
        case .hold:
            return hold(event, tool, source, waiter, facts, seconds: policy.permissionTimeout, now)
        case .noApprover:
            return unreachable(event, tool, source, waiter, facts.mayDeny, now.wall)
        case .pass:
            note(event, tool, source, as: .passed)
            return [.answer(waiter, HookReply(.pass))]
        }
    }

    /// Remembers the call for the PermissionRequest that may follow.
    mutating func note(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, as outcome: CallLedger.Outcome,
        request: String? = nil
    ) {
        guard let useID = tool.useID else { return }
        let entry = CallLedger.Entry(
            toolUseID: useID, requestID: request, agentID: event.agentID, promptID: event.promptID,
            cwd: event.cwd, toolName: tool.name, input: tool.kept, outcome: outcome,
            isUnverified: !source.isVerified)
        ledger.add(entry, session: event.sessionID)
    }

    /// The same call again: a relay that lost its daemon, or a client that retries.
    func repeatedID(_ event: AgentEvent, _ tool: ToolCall, _ source: HookSource) -> String? {
        guard let token = source.relayToken else { return openTwin(event, tool, source) }
        guard let id = questions.id(token: token), let request = questions[id]?.request ?? questions.endedRequest(id),
            request.bodyDigest == source.bodyDigest, request.event == event.name,
            request.isUnverified == !source.isVerified
        else { return nil }
        return id
    }

    /// Without a relay's token only an open question can be joined, and only by exactly the same call.
    private func openTwin(_ event: AgentEvent, _ tool: ToolCall, _ source: HookSource) -> String? {
        guard let useID = tool.useID else { return nil }
        return questions.openIDs(toolUse: useID).first { id in
            guard let request = questions[id]?.request else { return false }
            return request.relayToken == nil && request.sessionID == event.sessionID && request.event == event.name
                && request.toolName.hasSameBytes(as: tool.name) && request.input == tool.kept
                && request.cwd.hasSameBytes(as: event.cwd) && request.promptID.hasSameBytes(as: event.promptID)
                && request.agentID.hasSameBytes(as: event.agentID) && request.isUnverified == !source.isVerified
        }
    }

    /// A large input was not read at the start: now that its relay brought it again, the card can be shown.
    private mutating func show(_ id: String, _ tool: ToolCall, _ now: Timestamp) -> [BrokerEffect] {
        guard let request = questions[id]?.request, request.input.bytesElsewhere != nil else { return [] }
        questions.update(id) { $0.request.input = tool.kept }
        questions.update(id) { $0.isAnnounced = false }
        return announce(id, at: now)
    }

    mutating func joinRepeat(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ waiter: Waiter, _ now: Instant
    ) -> [BrokerEffect]? {
        guard let id = repeatedID(event, tool, source) else { return nil }
        if let ended = questions.endedRequest(id), questions[id] == nil {
            if let resolution = ended.resolution { settleLedger(ended, resolution) }
            // On its way; whether it arrives is told by `delivered`.
            unheard[id] = nil
            return [.answer(waiter, recordedReply(ended))]
        }
        waiting[waiter] = id
        questions.update(id) { question in
            question.waiters.append(waiter)
            question.orphanedUntil = nil
        }
        let shown = show(id, tool, now.wall)
        return shown + (questions[id].map { [.hold(waiter, until: $0.due)] } ?? [])
    }
}
