import OrderedJSON

/// The tool runs of a session: each published start gets exactly one published end.
extension BrokerState {
    mutating func startTool(_ tool: ToolCall, of call: HookCall, at now: Timestamp) -> [BrokerEffect] {
        guard let useID = tool.useID else { return [] }
        if ownsTools(of: call), !sessions.start(run(tool, useID, of: call, at: now)) { return [] }
        return publish(.toolStart(call.event), session: call.event.sessionID, at: now)
    }

    /// PostToolUse and PostToolUseFailure. Publishes nothing where an earlier event has ended the run already.
    mutating func endTool(_ tool: ToolCall, _ useID: String, _ seen: Observation) -> [BrokerEffect] {
        let event = seen.event
        let isError = event.name == .postToolUseFailure
        var run = run(tool, useID, of: seen.call, at: seen.now)
        if ownsTools(of: seen.call) {
            let ended = sessions.end(toolUse: useID, session: event.sessionID, isError: isError, at: seen.now)
            if ended == nil, sessions.knows(toolUse: useID, session: event.sessionID) { return [] }
            run = ended ?? run
        }
        run.input = tool.kept
        run.inputBytes = nil
        run.endedAt = seen.now
        run.isError = isError
        return publish(
            .toolEnd(
                run, response: event.details.response, isError: isError,
                durationMilliseconds: event.details.milliseconds),
            session: event.sessionID, at: seen.now)
    }

    /// Ends runs that the agent will not report: calls that were refused, interrupted or denied.
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

    private func run(_ tool: ToolCall, _ useID: String, of call: HookCall, at now: Timestamp) -> ToolRun {
        let event = call.event
        let kept = tool.short
        return ToolRun(
            useID: useID, tool: tool.tool, toolInput: kept.value, inputBytes: kept.wholeLength,
            sessionID: event.sessionID, cwd: event.cwd, agentID: event.agentID,
            transcriptPath: event.transcriptPath, permissionMode: event.permissionMode, startedAt: now)
    }
}
