import OrderedJSON

/// Hooks that report what has happened: tools that ran, turns that ended. A request that is still held for a call that
/// is over was answered in the terminal.
extension BrokerState {
    mutating func observe(_ seen: Observation) -> [BrokerEffect] {
        switch seen.event.name {
        case .notification: notified(seen)
        case .postToolBatch: batchEnded(seen)
        case .postToolUse, .postToolUseFailure: toolEnded(seen)
        case .sessionStart: publish(.sessionStart(seen.event), session: seen.event.sessionID, at: seen.now)
        case .stop, .stopFailure: turnEnded(seen)
        case .subagentStop: agentEnded(seen)
        case .userPromptSubmit: prompted(seen)
        // Sent by older scripts for a call that they do not ask about.
        case .other("tool-start"): seen.event.tool.map { startTool($0, of: seen.call, at: seen.now) } ?? []
        default: []
        }
    }

    private mutating func notified(_ seen: Observation) -> [BrokerEffect] {
        let event = seen.event
        guard event.details.notice == .permission else { return [] }
        return publish(.notification(event), session: event.sessionID, at: seen.now)
    }

    private mutating func toolEnded(_ seen: Observation) -> [BrokerEffect] {
        guard let tool = seen.event.tool, let useID = tool.useID else { return [] }
        let effects = endTool(tool, useID, seen) + alarm(tool, useID, seen)
        forgetCall(useID, seen)
        if seen.source.isVerified { changed.ran(useID, session: seen.event.sessionID) }
        guard let id = openID(of: tool, seen) else { return effects + overtake(tool, seen) }
        return effects + answeredInTerminal(id, ran: true, seen.now)
    }

    /// The words for the model about a call that ran otherwise than it asked, because a person changed the call at its
    /// dialog; `nil` for any other call. One that was changed at PreToolUse was told there.
    func changedCall(_ seen: Observation) -> HookAnswer? {
        guard seen.event.name == .postToolUse, seen.source.isVerified, let tool = seen.event.tool, let id = tool.useID,
            !tool.kind.isForUser,
            let request = requests.endedRequest(toolUse: id, session: seen.event.sessionID),
            request.isChangedAtDialog, tool.kept != request.input
        else { return nil }
        return .changed(asked: request.input, ran: tool.kept)
    }

    private mutating func batchEnded(_ seen: Observation) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for tool in seen.event.details.batch {
            guard let useID = tool.useID else { continue }
            if let id = openID(of: tool, seen) { effects += answeredInTerminal(id, ran: false, seen.now) }
            effects += confirm(tool, seen)
            forgetCall(useID, seen)
            if ownsTools(of: seen.call) {
                effects += endUnreported(seen.event.sessionID, seen.now) { $0.useID == useID }
            }
        }
        return effects
    }

    private mutating func turnEnded(_ seen: Observation) -> [BrokerEffect] {
        let event = seen.event
        var effects = endHeld(seen) { $0.agentID == nil && $0.promptID == event.promptID }
        if ownsTools(of: seen.call) {
            effects += endUnreported(event.sessionID, seen.now) { $0.agentID == nil }
            ledger.remove(session: event.sessionID) { $0.agentID == nil && $0.promptID == event.promptID }
        }
        return effects + publish(.stop(event), session: event.sessionID, at: seen.now)
    }

    private mutating func agentEnded(_ seen: Observation) -> [BrokerEffect] {
        let event = seen.event
        guard let agent = event.agentID else { return [] }
        var effects = endHeld(seen) { $0.agentID == agent }
        if ownsTools(of: seen.call) {
            effects += endUnreported(event.sessionID, seen.now) { $0.agentID == agent }
            ledger.remove(session: event.sessionID) { $0.agentID == agent }
        }
        return effects
    }

    private mutating func prompted(_ seen: Observation) -> [BrokerEffect] {
        let event = seen.event
        // The report of a background agent that has finished is no prompt of the user: it ends no turn.
        let ended = event.details.isReport ? [] : endTurn(before: seen)
        return ended + publish(.prompt(event), session: event.sessionID, at: seen.now)
    }

    private mutating func endTurn(before seen: Observation) -> [BrokerEffect] {
        let event = seen.event
        var effects = endHeld(seen) { $0.agentID == nil && $0.promptID != event.promptID }
        if ownsTools(of: seen.call) {
            effects += endUnreported(event.sessionID, seen.now) { $0.agentID == nil }
            ledger.remove(session: event.sessionID) { $0.agentID == nil && $0.promptID != event.promptID }
        }
        return effects
    }

    /// True where the sender may end what runs in the session: a verified sender always, and any sender where the
    /// session itself was never verified.
    func ownsTools(of call: HookCall) -> Bool {
        call.source.isVerified || sessions[call.event.sessionID]?.isUnverified == true
    }
}
