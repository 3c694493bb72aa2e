import OrderedJSON

/// Questions that the terminal answered, and answers that came too late for it.
extension BrokerState {
    /// The open question of a call. A card without a PreToolUse carries its own id instead of Claude's, so it is
    /// found by what it asks.
    func openID(of tool: ToolCall, _ seen: Observation) -> String? {
        let event = seen.event
        let mayEnd = { (id: String) -> Bool in
            guard let request = requests[id]?.request else { return false }
            return request.sessionID == event.sessionID && (seen.source.isVerified || request.isUnverified)
        }
        if let useID = tool.useID, let id = requests.heldIDs(toolUse: useID).first(where: mayEnd) { return id }
        return requests.heldIDs(session: event.sessionID).first { id in
            guard let request = requests[id]?.request, mayEnd(id) else { return false }
            return request.toolUseID == id && request.agentID == event.agentID && request.toolName == tool.name
                && request.input == tool.kept
        }
    }

    mutating func endQuestions(
        _ seen: Observation, where matches: (PermissionRequest) -> Bool
    ) -> [BrokerEffect] {
        let ids = requests.heldIDs(session: seen.event.sessionID).filter { id in
            guard let request = requests[id]?.request else { return false }
            return (seen.source.isVerified || request.isUnverified) && matches(request)
        }
        return ids.flatMap { answeredInTerminal($0, ran: false, seen.now) }
    }

    mutating func answeredInTerminal(_ id: String, ran: Bool, _ now: Timestamp) -> [BrokerEffect] {
        guard let held = requests[id] else { return [] }
        let reason = ran ? "the tool ran: allowed in the terminal" : "the call is over: answered in the terminal"
        let resolution = Resolution(
            decision: ran ? .allow : .pass, resolver: .terminal, reason: reason, at: now)
        guard held.isDeciding else { return conclude(held, resolution, at: now) }
        if ran { requests.update(id) { $0.pendingDecision?.overtakenBy = resolution } }
        return []
    }

    /// The tool ran although a remote answer had ended its question: an allow is confirmed, a deny came too late.
    mutating func overtake(_ tool: ToolCall, _ seen: Observation) -> [BrokerEffect] {
        guard let request = unconfirmed(tool, seen), let resolution = request.resolution else { return [] }
        guard resolution.decision == .deny else { return confirm(tool, seen) }
        let reason = "the tool ran: allowed in the terminal before the deny arrived"
        return correct(
            request, Resolution(decision: .allow, resolver: .terminal, reason: reason, at: seen.now), at: seen.now)
    }

    mutating func correct(
        _ request: PermissionRequest, _ resolution: Resolution, at now: Timestamp
    ) -> [BrokerEffect] {
        guard request.resolution?.decision == .deny else { return [] }
        return replaceEnd(of: request, with: resolution, at: now)
    }

    mutating func replaceEnd(
        of request: PermissionRequest, with resolution: Resolution, at now: Timestamp
    ) -> [BrokerEffect] {
        unheard[request.id] = nil
        guard let updated = requests.updateEnded(request.id, { $0.resolution = resolution }) else { return [] }
        return [.append([.request(updated)])]
            + publish(
                .permissionResolved(updated, resolution, corrects: true), session: updated.sessionID, at: now)
    }

    /// An event shows that the terminal heard the remote answer.
    mutating func confirm(_ tool: ToolCall, _ seen: Observation) -> [BrokerEffect] {
        guard let request = unconfirmed(tool, seen) else { return [] }
        let updated = requests.updateEnded(request.id) { $0.resolution?.isConfirmed = true }
        return updated.map { [.append([.request($0)])] } ?? []
    }

    private func unconfirmed(_ tool: ToolCall, _ seen: Observation) -> PermissionRequest? {
        let event = seen.event
        let isUnconfirmed = { (request: PermissionRequest) -> Bool in
            request.sessionID == event.sessionID && (seen.source.isVerified || request.isUnverified)
                && request.resolution.map { $0.resolver.isAnswer && !$0.isConfirmed } == true
        }
        if let known = tool.useID.flatMap({ requests.endedRequest(toolUse: $0) }), isUnconfirmed(known) {
            return known
        }
        return requests.endedUntied(session: event.sessionID).last { request in
            isUnconfirmed(request) && request.agentID == event.agentID && request.toolName == tool.name
                && request.input == tool.kept
        }
    }

    mutating func forgetCall(_ useID: String, _ seen: Observation) {
        if seen.source.isVerified { ledger.remove(toolUse: useID, session: seen.event.sessionID) }
    }
}
