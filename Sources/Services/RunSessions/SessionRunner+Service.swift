package import Core

extension SessionRunner: RunSessionService {
    package func start(_ order: RunSessionOrder) async throws(RunSessionFailure) -> RunSession {
        guard let workspace = await parts.workspaces.workspace(order.workspaceID) else {
            throw .noWorkspace(id: order.workspaceID)
        }
        let hasOtherWriter = if let resumed = order.resumed, !order.isFork { await hasWriter(resumed) } else { false }
        // The look for other writers may have waited for the disk.
        if CallPermit.isRevoked { throw .revoked }
        let start = SessionStart(
            id: parts.makeID("s_"), workspaceID: workspace.id, directory: workspace.path,
            agentID: order.agentID, isResumed: order.resumed != nil && !order.isFork,
            forkedFrom: order.isFork ? order.resumed : nil, mode: order.mode, model: order.model,
            title: order.title, hasOtherWriter: hasOtherWriter, servers: order.servers)
        let id = try await attempt(start.id) { (state, now) throws(SessionRefusal) in
            try state.start(start, at: now)
        }
        if start.isResumed { noteQuestionEnd(of: id) }
        guard await isWritten(id) else { throw .unwritten }
        if let prompt = order.prompt { _ = try await send(prompt, to: id) }
        return try session(id)
    }

    package func send(_ prompt: SessionPrompt, to session: String) async throws(RunSessionFailure) -> PromptReceipt {
        let session = known(session)
        if !state.has(prompt: prompt.id, session: session) { try await requireFree(session) }
        if CallPermit.isRevoked { throw .revoked }
        return try await attempt(session) { (state, now) throws(SessionRefusal) in
            try state.prompt(prompt, session: session, at: now)
        }
    }

    /// Refuses a prompt that would bring a second process into the conversation.
    private func requireFree(_ session: String) async throws(RunSessionFailure) {
        try await requirePlace(try self.session(session))
        if await isLent(session) { throw .refused(.lent, session: session) }
        // Somebody may have gone on with it in a terminal meanwhile.
        if let known = state[session], known.life == .parked, await hasWriter(known.agentID) {
            throw .refused(.otherWriter, session: session)
        }
    }

    /// The id of the session that somebody means by its id, or by the agent's id of its conversation.
    func known(_ id: String) -> String {
        guard state[id] == nil else { return id }
        return state.all.last { $0.agentID == id && $0.phase != .ended }?.id ?? id
    }

    package func leave(workspace: String) async throws(RunSessionFailure) {
        let sessions = active(in: workspace)
        let running = sessions.filter(\.hasChild).map(\.id)
        guard running.isEmpty else { throw .running(running) }
        for session in sessions { try await stop(session.id) }
    }

    /// Refuses a session whose workspace was removed meanwhile.
    func requirePlace(_ session: RunSession) async throws(RunSessionFailure) {
        guard await parts.workspaces.workspace(session.workspaceID) != nil else {
            throw .noWorkspace(id: session.workspaceID)
        }
    }

    package func interrupt(_ session: String, cancelsQueued: Bool) async throws(RunSessionFailure) {
        let session = known(session)
        try await attempt(session) { (state, now) throws(SessionRefusal) in
            ((), try state.interrupt(session: session, cancelsQueued: cancelsQueued, at: now))
        }
    }

    package func set(_ settings: RunSettings, of session: String) async throws(RunSessionFailure) {
        let session = known(session)
        try await attempt(session) { (state, now) throws(SessionRefusal) in
            ((), try state.set(settings, session: session, at: now))
        }
    }

    package func stop(_ session: String) async throws(RunSessionFailure) {
        let session = known(session)
        try await attempt(session) { (state, now) throws(SessionRefusal) in
            ((), try state.stop(session: session, at: now))
        }
    }

    /// Gives the state an input, and performs what follows. Confirmed is what is written down.
    func attempt<Value>(
        _ session: String, _ input: (inout SessionState, Instant) throws(SessionRefusal) -> (Value, [SessionEffect])
    ) async throws(RunSessionFailure) -> Value {
        guard !isClosing else { throw .closing }
        let value: Value
        do throws(SessionRefusal) {
            let (result, effects) = try input(&state, parts.clock.now())
            perform(effects)
            value = result
        } catch {
            if case .ended(.neverStarted(let reason))? = state[session]?.life { throw .neverStarted(reason) }
            throw .refused(error, session: session)
        }
        guard await isWritten(session) else { throw .unwritten }
        return value
    }

    package func session(_ id: String) throws(RunSessionFailure) -> RunSession {
        guard let session = state[known(id)] else { throw .refused(.unknownSession, session: id) }
        return session
    }

    package func lastTurn(of session: String) -> TurnEnd? { figures.lastTurn(of: known(session)) }

    package func totals(of session: String) -> RunTotals { figures.totals(of: known(session)) }

    package func offer(of session: String?) throws(RunSessionFailure) -> AgentOffer {
        if let session { _ = try self.session(session) }
        return figures.offer(of: session.map(known))
    }

    package func check() async -> AgentCheck? { await parts.children.check() }

    package func active(in workspace: String?) -> [RunSession] {
        state.all.filter { $0.phase != .ended && (workspace == nil || $0.workspaceID == workspace) }
    }

    /// True if a process that is not ours may write in the conversation. One whose process is not known counts as alive
    /// until its session ends.
    func hasWriter(_ agentID: String) async -> Bool {
        for session in state.all where session.agentID == agentID {
            if await isLent(session.id) { return true }
        }
        let ours = Set(state.all.compactMap(\.process?.pid))
        if await parts.children.hasWriter(agentID, but: ours) { return true }
        return await parts.broker.sessions().contains { view in
            view.session.id == agentID && view.state != .ended
                && !(view.session.claudePID.map { ours.contains($0) || formerProcesses.contains($0) } ?? false)
        }
    }
}

extension RunSessionOrder {
    /// The agent's id of the conversation that is to be worked in.
    fileprivate var agentID: String { (isFork ? nil : resumed) ?? conversation ?? UUIDText.random() }
}
