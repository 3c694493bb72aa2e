import OrderedJSON

/// Held requests that were answered in the terminal, and answers that came too late because the terminal was first.
extension BrokerState {
    /// Returns the held request of a call. A request that no PreToolUse announced has its own id in place of the
    /// agent's, so it is found by tool and input. With the agent's id the input is not compared: another hook or the
    /// person at the terminal may have changed it.
    func openID(of tool: ToolCall, _ seen: Observation) -> String? {
        let event = seen.event
        let mayEnd = { (request: PermissionRequest) -> Bool in
            request.sessionID == event.sessionID && (seen.source.isVerified || request.isUnverified)
                && request.isOfAgent(event, tool)
        }
        if let useID = tool.useID, let id = requests.heldID(toolUse: useID, where: mayEnd) { return id }
        return requests.heldID(session: event.sessionID, input: tool.kept) { request in
            mayEnd(request) && request.toolUseID == request.id
        }
    }

    /// Ends the held requests of the session that match, as far as the sender may end them.
    mutating func endHeld(
        _ seen: Observation, where matches: (PermissionRequest) -> Bool
    ) -> [BrokerEffect] {
        let ids = requests.heldIDs(session: seen.event.sessionID).filter { id in
            guard let request = requests[id]?.request else { return false }
            return (seen.source.isVerified || request.isUnverified) && matches(request)
        }
        return ids.flatMap { answeredInTerminal($0, ran: false, seen.now) }
    }

    /// Ends a held request by what the terminal did. A decision that is being written stays; if the tool ran, the
    /// decision is corrected after its commit.
    /// - Parameter ran: The tool ran, so the terminal allowed it; else the call is over in some other way.
    mutating func answeredInTerminal(_ id: String, ran: Bool, _ now: Timestamp) -> [BrokerEffect] {
        guard let held = requests[id] else { return [] }
        let reason = ran ? "the tool ran: allowed in the terminal" : "the call is over: answered in the terminal"
        let resolution = Resolution(
            decision: ran ? .allow : .pass, resolver: .terminal, reason: reason, at: now)
        guard held.isDeciding else { return conclude(held, resolution, at: now) }
        if ran { requests.update(id) { $0.pendingDecision?.overtakenBy = resolution } }
        return []
    }

    /// The tool ran after an answer had ended its request: an allow is confirmed, and a deny came too late and is
    /// corrected.
    mutating func overtake(_ tool: ToolCall, _ seen: Observation) -> [BrokerEffect] {
        guard let request = unconfirmed(tool, seen), let resolution = request.resolution else { return [] }
        guard resolution.decision == .deny else { return confirm(tool, seen) }
        let reason = "the tool ran: allowed in the terminal before the deny arrived"
        return correct(
            request, Resolution(decision: .allow, resolver: .terminal, reason: reason, at: seen.now), at: seen.now)
    }

    /// Replaces a deny that came too late.
    mutating func correct(
        _ request: PermissionRequest, _ resolution: Resolution, at now: Timestamp
    ) -> [BrokerEffect] {
        guard request.resolution?.decision == .deny else { return [] }
        return replaceEnd(of: request, with: resolution, at: now)
    }

    /// Gives an ended request another resolution, and publishes that as a correction.
    mutating func replaceEnd(
        of request: PermissionRequest, with resolution: Resolution, at now: Timestamp
    ) -> [BrokerEffect] {
        unheard[request.id] = nil
        guard let updated = requests.updateEnded(request.id, { $0.resolution = resolution }) else { return [] }
        return [.append([.request(updated)])]
            + publish(
                .permissionResolved(updated, resolution, corrects: true), session: updated.sessionID, at: now)
    }

    /// Marks the answer as confirmed: an event shows that the agent got it.
    mutating func confirm(_ tool: ToolCall, _ seen: Observation) -> [BrokerEffect] {
        guard let request = unconfirmed(tool, seen) else { return [] }
        let updated = requests.updateEnded(request.id) { $0.resolution?.isConfirmed = true }
        return updated.map { [.append([.request($0)])] } ?? []
    }

    /// Returns the ended request of a call whose answer nothing has confirmed yet.
    private func unconfirmed(_ tool: ToolCall, _ seen: Observation) -> PermissionRequest? {
        let event = seen.event
        let isUnconfirmed = { (request: PermissionRequest) -> Bool in
            request.sessionID == event.sessionID && (seen.source.isVerified || request.isUnverified)
                && request.isOfAgent(event, tool)
                && request.resolution.map { $0.resolver.isAnswer && !$0.isConfirmed } == true
        }
        let known = tool.useID.flatMap { requests.endedRequest(toolUse: $0, session: event.sessionID) }
        if let known, isUnconfirmed(known) { return known }
        return requests.endedUntied(session: event.sessionID, input: tool.kept).last(where: isUnconfirmed)
    }

    /// Removes a call that is over from the ledger, if the event is verified.
    mutating func forgetCall(_ useID: String, _ seen: Observation) {
        if seen.source.isVerified { ledger.remove(toolUse: useID, session: seen.event.sessionID) }
    }
}

extension PermissionRequest {
    /// True where the event is of the same agent of the session, and of the same tool. The id of a call does not tell
    /// that: some models number the calls of each agent anew.
    fileprivate func isOfAgent(_ event: AgentEvent, _ tool: ToolCall) -> Bool {
        agentID.hasSameBytes(as: event.agentID) && toolName.hasSameBytes(as: tool.name)
    }
}
