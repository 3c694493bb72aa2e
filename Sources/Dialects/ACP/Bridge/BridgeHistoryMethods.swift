import Core
import OrderedJSON
import Services
import Wire

/// The methods of the bridge for the sessions that were before, from their transcripts.
struct BridgeHistoryMethods: MethodGroup {
    let parts: ACPServices.Parts

    var methods: [Method] { [clearTitle, delete, recent, setTitle, timeline, title] }

    private static let mostRecent = 10

    private var recent: Method {
        Method(
            "tinyvex/history.recentSessions", right: .drive, scheduling: .beside(limit: 2),
            summary: "The ten sessions that were active last.", result: .list(.anyObject)
        ) { call async throws(JSONRPCError) in
            _ = try ACPFields.client(of: call)
            let past = try await BridgeFields.answering { () async throws(TranscriptFailure) in
                try await parts.transcripts.history(workspace: nil, limit: Self.mostRecent, offset: 0)
            }.sessions
            let known = Set(past.map(\.sessionID))
            let running = await parts.sessions.active(in: nil).filter { !known.contains($0.agentID) }
            let all =
                past.map { ($0.sessionID, $0.facts.lastTime, $0.facts.messages) }
                + running.map { ($0.agentID, $0.clocks.lastActivity, 0) }
            let times = all.map { (id: $0.0, time: $0.1?.milliseconds ?? 0, count: $0.2) }
            return .array(
                times.sorted { $0.time > $1.time }.prefix(Self.mostRecent).map {
                    [
                        "session_id": .id($0.id), "last_ts": .count($0.time),
                        "message_count": .count($0.count),
                    ]
                })
        }
    }

    private var timeline: Method {
        Method(
            "tinyvex/history.sessionTimeline", right: .drive, scheduling: .beside(limit: 2),
            summary: "The last messages of a session as updates. What it does from now on is told.",
            parameters: .integer("limit", in: 1...1000, default: 200, "messages"), BridgeFields.session,
            result: .list(.anyObject)
        ) { call, limit, id async throws(JSONRPCError) in
            let client = try ACPFields.client(of: call)
            let opened = client.session(id) == nil ? try await followedIfItRuns(id, for: call) : nil
            // Whatever the answer is: what is held until then would never be told.
            if let opened { client.afterAnswer { opened.begin() } }
            let query = TranscriptPageQuery(sessionID: id, limit: limit, order: .descending)
            guard let page = try await page(query, mayBeMissing: opened != nil) else { return [] }
            var directory = client.session(id)?.directory
            if directory == nil { directory = try await facts(of: id).cwd }
            let updates = page.messages.reversed().flatMap { message in
                opened?.read(message) ?? ACPMessage.updates(of: message, in: directory ?? "")
            }
            return .array(updates.compactMap { client.services.spelling.update($0, of: id) })
        }
    }

    /// `nil` for a session that has no message yet.
    private func page(
        _ query: TranscriptPageQuery, mayBeMissing: Bool
    ) async throws(JSONRPCError) -> TranscriptPage? {
        do throws(TranscriptFailure) {
            return try await parts.transcripts.messages(query, client: nil)
        } catch {
            if mayBeMissing, case .unknownSession = error { return nil }
            throw BridgeFields.failure(error, of: query.sessionID)
        }
    }

    private var delete: Method {
        Method(
            "tinyvex/history.deleteSession", right: .drive, scheduling: .beside(limit: 2),
            summary: "Ends a session's process and takes the session out of all lists. Its transcript stays.",
            parameters: BridgeFields.session, result: .anyObject
        ) { call, id async throws(JSONRPCError) in
            try await ACPOpening(parts: parts).delete(id, for: ACPFields.client(of: call))
            return ["deleted": true]
        }
    }

    /// What it does meanwhile is told behind the answer.
    private func followedIfItRuns(_ id: String, for call: Call) async throws(JSONRPCError) -> ACPSession? {
        guard let session = try? await parts.sessions.session(id), session.phase != .ended else { return nil }
        let opening = ACPOpening(parts: parts)
        let opened = try await opening.open(session, as: id, for: call)
        await opening.askAgain(opened)
        return opened
    }

    private var title: Method {
        Method(
            "tinyvex/history.getSessionTitle", right: .drive, scheduling: .beside(limit: 2),
            summary: "The title of a session; null for one that has none.", parameters: BridgeFields.session,
            result: .anyObject
        ) { call, id async throws(JSONRPCError) in
            _ = try ACPFields.client(of: call)
            if let title = (try? await parts.sessions.session(id))?.title, !title.isEmpty {
                return ["title": .string(title)]
            }
            let facts = try await facts(of: id)
            return ["title": facts.title.isEmpty ? .null : .string(facts.title)]
        }
    }

    private var setTitle: Method {
        Method(
            "tinyvex/history.setSessionTitle", right: .drive, scheduling: .beside(limit: 2),
            summary: "Gives a session a title.", parameters: BridgeFields.session, BridgeFields.title,
            result: .anyObject
        ) { call, id, title async throws(JSONRPCError) in
            _ = try ACPFields.client(of: call)
            return try await rename(id, title)
        }
    }

    private var clearTitle: Method {
        Method(
            "tinyvex/history.clearSessionTitle", right: .drive, scheduling: .beside(limit: 2),
            summary: "Calls a session by its summary or its first prompt again.", parameters: BridgeFields.session,
            result: .anyObject
        ) { call, id async throws(JSONRPCError) in
            _ = try ACPFields.client(of: call)
            let facts = try await facts(of: id)
            guard let title = facts.summary ?? facts.prompt else {
                throw .invalidRequest("there is nothing else to call this session by yet; give it another title")
            }
            return try await rename(id, title)
        }
    }

    private func facts(of id: String) async throws(JSONRPCError) -> TranscriptFacts {
        try await BridgeFields.answering(for: id) { () async throws(TranscriptFailure) in
            try await parts.transcripts.session(id)
        }.facts
    }

    /// The title is Claude Code's, which writes it into its transcript while it runs.
    private func rename(_ id: String, _ title: String) async throws(JSONRPCError) -> JSON {
        try await ACPFields.answering(for: id) { () async throws(RunSessionFailure) in
            try await parts.sessions.set(RunSettings(title: title), of: id)
        }
        return ["ok": true]
    }
}
