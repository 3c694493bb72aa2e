import OrderedJSON

/// The tools of a session: every start that is shown gets exactly one end.
extension BrokerState {
    mutating func startTool(
        _ event: AgentEvent, _ tool: ToolCall, _ source: HookSource, _ now: Timestamp
    ) -> [BrokerEffect] {
        guard let useID = tool.useID else { return [] }
        if ownsTools(of: event, source), !sessions.start(run(event, tool, useID, now)) { return [] }
        return publish(.toolStart(event), session: event.sessionID, at: now)
    }

    /// PostToolUse and PostToolUseFailure. A run that was taken for over has had its end.
    mutating func endTool(
        _ event: AgentEvent, _ tool: ToolCall, _ useID: String, _ source: HookSource, _ now: Timestamp
    ) -> [BrokerEffect] {
        let isError = event.name == .postToolUseFailure
        var run = run(event, tool, useID, now)
        if ownsTools(of: event, source) {
            let ended = sessions.end(toolUse: useID, session: event.sessionID, isError: isError, at: now)
            if ended == nil, sessions.knows(toolUse: useID, session: event.sessionID) { return [] }
            run = ended ?? run
        }
        run.input = tool.kept
        run.inputBytes = nil
        run.endedAt = now
        run.isError = isError
        return publish(
            .toolEnd(
                run, response: event.details.response, isError: isError,
                durationMilliseconds: event.details.milliseconds),
            session: event.sessionID, at: now)
    }

    /// Ends runs of which Claude will say nothing more: refused, interrupted or denied calls.
    mutating func endUnreported(
        _ session: String, _ now: Timestamp, where matches: (ToolRun) -> Bool
    ) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for run in sessions.running(session: session, where: matches) {
            guard let ended = sessions.end(toolUse: run.useID, session: session, isError: true, at: now) else {
                continue
            }
            effects += publish(
                .toolEnd(ended, response: KeptJSON(.null), isError: true, durationMilliseconds: nil), session: session,
                at: now)
        }
        return effects
    }

    private func run(_ event: AgentEvent, _ tool: ToolCall, _ useID: String, _ now: Timestamp) -> ToolRun {
        let kept = tool.short
        return ToolRun(
            useID: useID, tool: tool.tool, toolInput: kept.value, inputBytes: kept.wholeLength,
            sessionID: event.sessionID, cwd: event.cwd, agentID: event.agentID,
            transcriptPath: event.transcriptPath, permissionMode: event.permissionMode, startedAt: now)
    }
}
