import Core
import OrderedJSON
import Services
import Wire

/// Sends an editor the messages of a session that were before.
struct ACPHistory {
    let parts: ACPServices.Parts
    let session: ACPSession

    private static let page = 200

    /// Sends all messages, or those behind the one with the id `last`. Each is sent once the one before it has left, or a
    /// long history would fill the memory.
    func send(after last: String? = nil) async throws(JSONRPCError) {
        var isSending = last == nil
        try await read { message in
            if isSending { await send(message) } else { session.skip(message) }
            if message.uuid == last { isSending = true }
        }
        await sendPlan()
    }

    /// Sends only what the agent means to do: what changes later is told as a whole.
    func sendPlanAlone() async throws(JSONRPCError) {
        try await read { _ = session.note($0.todos) }
        await sendPlan()
    }

    private func read(_ body: (TranscriptMessage) async -> Void) async throws(JSONRPCError) {
        var offset: Int64 = 0
        while let page = try await messages(from: offset), !page.messages.isEmpty {
            for message in page.messages { await body(message) }
            offset += Int64(page.messages.count)
            guard offset < page.total else { break }
        }
    }

    private func sendPlan() async {
        if let plan = session.knownPlan { await session.deliver(plan) }
    }

    private func send(_ message: TranscriptMessage) async {
        for update in session.read(message) { await session.deliver(update) }
    }

    /// `nil` where the conversation has no message yet.
    private func messages(from offset: Int64) async throws(JSONRPCError) -> TranscriptPage? {
        let agentID = session.state.withLock { $0.agentID }
        let query = TranscriptPageQuery(sessionID: agentID, limit: Self.page, offset: offset)
        do throws(TranscriptFailure) {
            return try await parts.transcripts.messages(query, client: nil)
        } catch {
            if case .unknownSession = error { return nil }
            throw .internalError("the messages of this session cannot be read: \(error)")
        }
    }
}

/// Lists sessions for an editor.
struct ACPList {
    let parts: ACPServices.Parts

    private static let page = 50

    func sessions(in cwd: String?, from cursor: String?) async throws(JSONRPCError) -> JSON {
        guard let offset = cursor.map({ Int($0) }) ?? 0, offset >= 0 else {
            throw .invalidParams("\"cursor\" must be the \"nextCursor\" of an earlier answer")
        }
        var workspace: String?
        if let cwd {
            guard let known = await parts.workspaces.workspace(at: cwd) else { return ["sessions": []] }
            workspace = known.id
        }
        let past: TranscriptHistory
        do throws(TranscriptFailure) {
            past = try await parts.transcripts.history(workspace: workspace, limit: Self.page, offset: offset)
        } catch {
            throw .internalError("the sessions cannot be listed: \(error)")
        }
        let known = Set(past.sessions.map(\.sessionID))
        let running =
            offset == 0 ? await parts.sessions.active(in: workspace).filter { !known.contains($0.agentID) } : []
        var answer: JSONObject = ["sessions": .array(running.map(\.acp) + past.sessions.compactMap(\.acp))]
        let end = offset + past.sessions.count
        if end < past.total, !past.sessions.isEmpty { answer["nextCursor"] = .string("\(end)") }
        return .object(answer)
    }
}

extension RunSession {
    fileprivate var acp: JSON {
        var members: JSONObject = ["sessionId": .id(agentID), "cwd": .string(directory)]
        if let title { members["title"] = .string(title) }
        members["updatedAt"] = .time(clocks.lastActivity)
        return .object(members)
    }
}

extension TranscriptSession {
    /// `nil` where the directory is not known, which the protocol needs.
    fileprivate var acp: JSON? {
        guard let directory = facts.cwd else { return nil }
        var members: JSONObject = ["sessionId": .id(sessionID), "cwd": .string(directory)]
        if !facts.title.isEmpty { members["title"] = .string(facts.title) }
        if let time = facts.lastTime { members["updatedAt"] = .time(time) }
        return .object(members)
    }
}
