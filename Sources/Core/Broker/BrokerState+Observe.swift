import OrderedJSON

/// What Claude tells without waiting for an answer: tools that ran, turns that ended. Whatever still waited for a
/// call that is over was answered in the terminal.
extension BrokerState {
    mutating func observe(_ event: AgentEvent, _ source: HookSource, _ now: Timestamp) -> [BrokerEffect] {
        switch event.name {
        case .notification: notified(event, now)
        case .postToolBatch: batchEnded(event, source, now)
        case .postToolUse, .postToolUseFailure: toolEnded(event, source, now)
        case .sessionStart: publish(.sessionStart(event), session: event.sessionID, at: now)
        case .stop, .stopFailure: turnEnded(event, source, now)
        case .subagentStop: agentEnded(event, source, now)
        case .userPromptSubmit: prompted(event, source, now)
        // Older scripts report a call they do not ask about.
        case .other("tool-start"): event.tool.map { startTool(event, $0, source, now) } ?? []
        default: []
        }
    }

    private mutating func notified(_ event: AgentEvent, _ now: Timestamp) -> [BrokerEffect] {
        guard event.details.notice == .permission else { return [] }
        return publish(.notification(event), session: event.sessionID, at: now)
    }

    private mutating func toolEnded(
        _ event: AgentEvent, _ source: HookSource, _ now: Timestamp
    ) -> [BrokerEffect] {
        guard let tool = event.tool, let useID = tool.useID else { return [] }
        let effects = endTool(event, tool, useID, source, now) + alarm(useID, event, source, now)
        forgetCall(useID, event, source)
        guard let id = openID(of: tool, event, source) else {
            return effects + overtake(tool, event, source, now)
        }
        return effects + answeredInTerminal(id, ran: true, now)
    }

    private mutating func batchEnded(
        _ event: AgentEvent, _ source: HookSource, _ now: Timestamp
    ) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for tool in event.details.batch {
            guard let useID = tool.useID else { continue }
            if let id = openID(of: tool, event, source) { effects += answeredInTerminal(id, ran: false, now) }
            effects += confirm(tool, event, source)
            forgetCall(useID, event, source)
            if ownsTools(of: event, source) { effects += endUnreported(event.sessionID, now) { $0.useID == useID } }
        }
        return effects
    }

    private mutating func turnEnded(
        _ event: AgentEvent, _ source: HookSource, _ now: Timestamp
    ) -> [BrokerEffect] {
        var effects = endQuestions(event, source, now) { $0.agentID == nil && $0.promptID == event.promptID }
        if ownsTools(of: event, source) {
            effects += endUnreported(event.sessionID, now) { $0.agentID == nil }
            ledger.remove(session: event.sessionID) { $0.agentID == nil && $0.promptID == event.promptID }
        }
        return effects + publish(.stop(event), session: event.sessionID, at: now)
    }

    private mutating func agentEnded(
        _ event: AgentEvent, _ source: HookSource, _ now: Timestamp
    ) -> [BrokerEffect] {
        guard let agent = event.agentID else { return [] }
        var effects = endQuestions(event, source, now) { $0.agentID == agent }
        if ownsTools(of: event, source) {
            effects += endUnreported(event.sessionID, now) { $0.agentID == agent }
            ledger.remove(session: event.sessionID) { $0.agentID == agent }
        }
        return effects
    }

    private mutating func prompted(
        _ event: AgentEvent, _ source: HookSource, _ now: Timestamp
    ) -> [BrokerEffect] {
        // A report of a finished background agent is no turn of the user's; it ends nothing.
        let ended = event.details.isReport ? [] : endTurn(before: event, source, now)
        return ended + publish(.prompt(event), session: event.sessionID, at: now)
    }

    private mutating func endTurn(
        before event: AgentEvent, _ source: HookSource, _ now: Timestamp
    ) -> [BrokerEffect] {
        var effects = endQuestions(event, source, now) { $0.agentID == nil && $0.promptID != event.promptID }
        if ownsTools(of: event, source) {
            effects += endUnreported(event.sessionID, now) { $0.agentID == nil }
            ledger.remove(session: event.sessionID) { $0.agentID == nil && $0.promptID != event.promptID }
        }
        return effects
    }

    /// A session nobody proved to own may be ended by anybody; a proven one only by its own.
    func ownsTools(of event: AgentEvent, _ source: HookSource) -> Bool {
        source.isVerified || sessions[event.sessionID]?.isUnverified == true
    }
}
