import Core
import OrderedJSON
import Services

/// Transcripts that a test made up.
actor FakeTranscripts: TranscriptService {
    var page = TranscriptPage()
    var sessions: [TranscriptSession] = []
    var hits: [TranscriptHit] = []
    private var watched: [String: TranscriptWatch] = [:]
    private(set) var queries: [TranscriptPageQuery] = []

    func set(_ change: @Sendable (isolated FakeTranscripts) -> Void) { change(self) }

    private func check(_ workspace: String?) throws(TranscriptFailure) {
        if let workspace, workspace != "ws-abc123" { throw .unknownWorkspace(workspace) }
    }

    func history(workspace id: String?, limit: Int, offset: Int) throws(TranscriptFailure) -> TranscriptHistory {
        try check(id)
        return TranscriptHistory(
            sessions: Array(sessions.dropFirst(offset).prefix(limit)), total: sessions.count, isIncomplete: false)
    }

    func session(_ id: String) throws(TranscriptFailure) -> TranscriptSession {
        guard let session = sessions.first(where: { $0.sessionID == id }) else { throw .unknownSession(id) }
        return session
    }

    func delete(_ session: String) throws(TranscriptFailure) { throw .unknownSession(session) }

    func messages(_ query: TranscriptPageQuery, client: String?) throws(TranscriptFailure) -> TranscriptPage {
        queries.append(query)
        guard query.sessionID != "unknown" else { throw .unknownSession(query.sessionID) }
        return page
    }

    func watch(
        _ session: String, after: Int64?, hasSubagents: Bool, client: String
    ) throws(TranscriptFailure) -> TranscriptWatch {
        guard session != "unknown" else { throw .unknownSession(session) }
        let watch = TranscriptWatch(client: client, sessionID: session, workspaceID: "ws-abc123", after: after ?? 2)
        watched[client] = watch
        return watch
    }

    func unwatch(client: String) -> TranscriptWatch? { watched.removeValue(forKey: client) }

    func activate(_ session: String, client: String) throws(TranscriptFailure) -> TranscriptWatch {
        guard session != "unknown" else { throw .unknownSession(session) }
        return TranscriptWatch(client: client, sessionID: session, workspaceID: "ws-abc123", after: 0)
    }

    func search(
        _ words: String, workspace id: String?, limit: Int, by caller: Caller
    ) throws(TranscriptFailure) -> TranscriptFindings {
        try check(id)
        return TranscriptFindings(hits: Array(hits.prefix(limit)), hasMore: hits.count > limit, isIncomplete: false)
    }

    func watches() -> [TranscriptWatch] { Array(watched.values) }
}

func transcriptMessage(
    _ number: Int64, _ kind: TranscriptLine.Kind = .user, _ message: JSON, flags: TranscriptLine.Flags = [],
    tools: [Tool] = [], change: FileDifference? = nil
) -> TranscriptMessage {
    var made = TranscriptMessage(
        kind: kind, flags: flags, uuid: "msg-uuid-\(122 + number)", parent: nil, time: moment(Double(number)),
        branch: "main", agentID: nil, message: message,
        tools: Dictionary(uniqueKeysWithValues: tools.map { ($0.name, $0) }), change: change)
    made.number = number
    return made
}
