import OrderedJSON
import Text

extension BrokerState {
    /// A hook called. Everything Claude tells goes through here, in the order its connections came.
    /// - Parameter facts: of `inquiry`, gathered just now. Without them they are asked here, whatever the disk takes.
    package mutating func receive(
        _ call: HookCall, waiter: Waiter, facts: CallFacts? = nil, at now: Instant
    ) -> [BrokerEffect] {
        guard !call.event.agent.profile.isBystander else {
            return overlook(call, at: now.wall) + [.answer(waiter, HookReply(.pass))]
        }
        let session = call.event.sessionID
        var effects = comeToNow(before: call, at: now)
        effects += tellEnding(of: session, at: now.wall) + makeRoom(for: session, at: now.wall)
        let isChanged = sessions.observe(call, at: now, startTime: startTime)
        nextHousekeeping = nextHousekeeping ?? now.uptime + Self.housekeepingInterval
        if isChanged, let session = sessions[session] { effects.append(.append([.session(session)])) }
        effects += rememberProcesses()
        switch call.event.name {
        case .preToolUse, .permissionRequest:
            guard let tool = call.event.tool else { return effects + [.answer(waiter, HookReply(.pass))] }
            let hook = BlockingHook(call: call, tool: tool, waiter: waiter, now: now)
            effects += call.event.name == .preToolUse ? preToolUse(hook, facts) : permissionRequest(hook, facts)
        case .sessionEnd: effects += sessionEnded(Observation(call: call, now: now.wall), waiter)
        default:
            effects += observe(Observation(call: call, now: now.wall)) + [.answer(waiter, HookReply(.pass))]
        }
        return effects
    }

    private mutating func makeRoom(for session: String, at now: Timestamp) -> [BrokerEffect] {
        guard sessions[session] == nil,
            let surplus = sessions.surplus(where: { questions.heldCount(session: $0.id) == 0 })
        else { return [] }
        return endSession(surplus.id, reason: "too many sessions", at: now)
    }

    private mutating func preToolUse(_ hook: BlockingHook, _ facts: CallFacts?) -> [BrokerEffect] {
        if let repeated = joinRepeat(hook) { return repeated }
        if let useID = hook.tool.useID { denies.begin(useID, session: hook.event.sessionID) }
        let facts = facts.map { inForce($0, hook) } ?? gatherFacts(hook)
        return startTool(hook.tool, of: hook.call, at: hook.now.wall) + settle(hook, facts)
    }

    /// The facts as they are, or as if nobody could say, where a rule among them has run out or was taken back since.
    private func inForce(_ facts: CallFacts, _ hook: BlockingHook) -> CallFacts {
        guard !facts.allowing.allSatisfy({ ruleBook.holds($0.id) }) else { return facts }
        return inquiry(hook.tool, of: hook.call, at: place(of: hook.call)).unknown
    }

    func gatherFacts(_ hook: BlockingHook) -> CallFacts {
        inquiry(hook.tool, of: hook.call, at: place(of: hook.call)).facts(judge, claudeRules)
    }

    private mutating func settle(_ hook: BlockingHook, _ facts: CallFacts) -> [BrokerEffect] {
        switch verdict(on: hook, facts) {
        case .allow(let rules):
            note(hook, as: .allowedByRule)
            return allow(hook, by: rules)
        case .deny(let rule):
            return deny(hook, by: rule)
        case .hold:
            return hold(hook, facts, seconds: policy.permissionTimeout)
        case .noApprover:
            return unreachable(hook, facts.mayDeny)
        case .pass:
            note(hook, as: .passed)
            return [.answer(hook.waiter, HookReply(.pass))]
        }
    }

    /// Remembers the call for the PermissionRequest that may follow.
    mutating func note(_ hook: BlockingHook, as outcome: CallLedger.Outcome, request: String? = nil) {
        guard let useID = hook.tool.useID else { return }
        let entry = CallLedger.Entry(
            toolUseID: useID, requestID: request, agentID: hook.event.agentID, promptID: hook.event.promptID,
            cwd: hook.event.cwd, toolName: hook.tool.name, input: hook.tool.kept, outcome: outcome,
            isUnverified: !hook.source.isVerified)
        ledger.add(entry, session: hook.event.sessionID)
    }

    /// The same call again: a relay that lost its daemon, or a client that retries.
    func repeatedID(_ tool: ToolCall, of call: HookCall) -> String? {
        let source = call.source
        guard let token = source.relayToken else { return openTwin(tool, of: call) }
        guard let id = questions.id(token: token), let request = questions[id]?.request ?? questions.endedRequest(id),
            request.bodyDigest == source.bodyDigest, request.event == call.event.name,
            request.isUnverified == !source.isVerified
        else { return nil }
        return id
    }

    /// Without a relay's token only an open question can be joined, and only by exactly the same call.
    private func openTwin(_ tool: ToolCall, of call: HookCall) -> String? {
        guard let useID = tool.useID else { return nil }
        let event = call.event
        return questions.openIDs(toolUse: useID).first { id in
            guard let request = questions[id]?.request else { return false }
            return request.relayToken == nil && request.sessionID == event.sessionID && request.event == event.name
                && request.toolName.hasSameBytes(as: tool.name) && request.input == tool.kept
                && request.cwd.hasSameBytes(as: event.cwd) && request.promptID.hasSameBytes(as: event.promptID)
                && request.agentID.hasSameBytes(as: event.agentID) && request.isUnverified == !call.source.isVerified
        }
    }

    /// A large input was not read at the start: now that its relay brought it again, the card can be shown.
    private mutating func show(_ id: String, _ tool: ToolCall, _ now: Timestamp) -> [BrokerEffect] {
        guard let request = questions[id]?.request, request.input.bytesElsewhere != nil else { return [] }
        questions.update(id) { $0.request.input = tool.kept }
        questions.update(id) { $0.isAnnounced = false }
        return announce(id, at: now)
    }

    mutating func joinRepeat(_ hook: BlockingHook) -> [BrokerEffect]? {
        guard let id = repeatedID(hook.tool, of: hook.call) else { return nil }
        let waiter = hook.waiter
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
        let shown = show(id, hook.tool, hook.now.wall)
        return shown + (questions[id].map { [.hold(waiter, until: $0.due)] } ?? [])
    }
}
