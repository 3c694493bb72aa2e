import Core
import OrderedJSON
import Services
import Wire

/// Opens sessions for an editor, and takes them out of its lists.
struct ACPOpening {
    let parts: ACPServices.Parts

    /// The workspace of exactly this directory, which is added where there is none.
    func workspace(at path: String) async throws(JSONRPCError) -> Workspace {
        if let known = await parts.workspaces.workspace(holding: path), known.path == path { return known }
        do throws(WorkspaceFailure) {
            return try await parts.workspaces.add(WorkspaceWish(path: path)).workspace
        } catch {
            throw error.rpcError
        }
    }

    func started(_ order: RunSessionOrder) async throws(JSONRPCError) -> RunSession {
        try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
            do throws(RunSessionFailure) {
                return try await parts.sessions.start(order)
            } catch .refused(.alreadyRuns(let session), _) {
                // Somebody else went on with it at the same moment.
                return try await parts.sessions.session(session)
            }
        }
    }

    /// The session that runs, or may run again; else the conversation is gone on with by a new one.
    func goOn(
        in id: String, _ cwd: String, _ servers: [ToolServer], for call: Call, isWhole: Bool
    ) async throws(JSONRPCError) -> ACPSession {
        try ACPServers.require(servers, from: ACPFields.client(of: call).caller)
        if let known = try? await parts.sessions.session(id), known.phase == .stopping {
            await waitForEnd(of: known, as: id, try ACPFields.client(of: call))
        }
        if let known = try? await parts.sessions.session(id), known.phase != .ended {
            return try await open(known, as: id, for: call, isWhole: isWhole)
        }
        try await requireTranscript(id)
        let workspace = try await workspace(at: cwd)
        return try await open(
            started(RunSessionOrder(workspaceID: workspace.id, resumed: id, servers: servers)), as: id, for: call,
            isWhole: isWhole)
    }

    /// Somebody ended it a moment ago: it can be gone on with once it has ended.
    private func waitForEnd(of session: RunSession, as id: String, _ client: ACPClient) async {
        let ending = ACPSession(session, as: id, of: client)
        await client.open(ending)
        ending.begin()
        // It may have ended before it was followed. Whatever else it is by now may be old already.
        let now = try? await parts.sessions.session(session.id)
        if now == nil || now?.phase == .ended { ending.note(now) }
        await ending.waitForEnd()
        await client.close(id)
    }

    /// Ends a session, and takes it out of all lists. One that has no transcript stands in none.
    func delete(_ id: String, for client: ACPClient) async throws(JSONRPCError) {
        if let known = try? await parts.sessions.session(client.session(id)?.runID ?? id), known.phase != .ended {
            try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await parts.sessions.stop(known.id)
            }
            await waitForEnd(of: known, as: id, client)
        }
        await client.close(id)
        do throws(TranscriptFailure) {
            try await parts.transcripts.delete(id)
        } catch {
            if case .unknownSession = error { return }
            throw error.rpcError
        }
    }

    /// The id stands in the agent's command line.
    func requireTranscript(_ id: String) async throws(JSONRPCError) {
        guard UUIDText.isOne(id) else { throw ACPFields.unknown(id) }
        do {
            _ = try await parts.transcripts.messages(TranscriptPageQuery(sessionID: id, limit: 1), client: nil)
        } catch {
            throw ACPFields.unknown(id)
        }
    }

    func open(
        _ session: RunSession, as id: String, for call: Call, isWhole: Bool = true
    ) async throws(JSONRPCError) -> ACPSession {
        let client = try ACPFields.client(of: call)
        let opened = ACPSession(session, as: id, of: client)
        await client.open(opened)
        let watch = try await ACPFields.answering(for: id) { () async throws(RunSessionFailure) in
            try await parts.sessions.watch(session.id, hasLog: false, client: opened.id)
        }
        opened.hold(watch, isWhole: isWhole)
        return opened
    }

    func askAgain(_ session: ACPSession) async {
        let agentID = session.state.withLock { $0.agentID }
        for request in await parts.permissions.pending(sessionID: agentID) { await session.askAgain(request) }
    }
}
