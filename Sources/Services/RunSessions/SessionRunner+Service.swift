package import Core

extension SessionRunner: RunSessionService {
    package func start(_ order: RunSessionOrder) async throws(RunSessionFailure) -> RunSession {
        guard let workspace = await parts.workspaces.workspace(order.workspaceID) else {
            throw .noWorkspace(id: order.workspaceID)
        }
        let isWritten = if let resumed = order.resumed { await hasWriter(resumed) } else { false }
        try checkOpen()
        let start = SessionStart(
            id: parts.makeID("s_"), workspaceID: workspace.id, directory: workspace.path,
            agentID: order.resumed ?? UUIDText.random(), isResumed: order.resumed != nil, mode: order.mode,
            model: order.model, hasOtherWriter: isWritten)
        do throws(SessionRefusal) {
            let (id, effects) = try state.start(start, at: parts.clock.now())
            perform(effects)
            return try found(id)
        } catch {
            throw .refused(error)
        }
    }

    package func send(_ prompt: SessionPrompt, to session: String) throws(RunSessionFailure) -> PromptReceipt {
        try checkOpen()
        do throws(SessionRefusal) {
            let (receipt, effects) = try state.prompt(prompt, session: session, at: parts.clock.now())
            perform(effects)
            return receipt
        } catch {
            throw .refused(error)
        }
    }

    package func stop(_ session: String) throws(RunSessionFailure) {
        try checkOpen()
        do throws(SessionRefusal) {
            perform(try state.stop(session: session, at: parts.clock.now()))
        } catch {
            throw .refused(error)
        }
    }

    package func session(_ id: String) throws(RunSessionFailure) -> RunSession {
        do throws(SessionRefusal) { return try found(id) } catch { throw .refused(error) }
    }

    package func active(in workspace: String?) -> [RunSession] {
        state.all.filter { $0.phase != .ended && (workspace == nil || $0.workspaceID == workspace) }
    }

    private func found(_ id: String) throws(SessionRefusal) -> RunSession {
        guard let session = state[id] else { throw .unknownSession }
        return session
    }

    private func checkOpen() throws(RunSessionFailure) {
        guard !isClosing else { throw .closing }
    }

    /// True if a process that is not ours may write in the conversation. One whose process is not known counts as alive
    /// until its session ends.
    private func hasWriter(_ agentID: String) async -> Bool {
        let ours = Set(state.all.compactMap(\.process?.pid))
        return await parts.broker.sessions().contains { view in
            view.session.id == agentID && view.state != .ended
                && !(view.session.claudePID.map(ours.contains) ?? false)
        }
    }
}
