import Core
import OrderedJSON

extension Database {
    /// The tool history is written less often than the rest: a session without one keeps that of its row, until its end.
    func write(_ session: ExternalSession) throws(StoreError) {
        let isKept = session.tools.isEmpty && session.endedAt == nil
        try run(
            """
            INSERT OR REPLACE INTO sessions (
                id, cwd, root, transcript_path, permission_mode, started_at, last_activity, claude_pid,
                claude_start_time, is_attended, is_unverified, ended_at, title, last_prompt, gate, is_heir,
                is_of_this_machine, tools)
            VALUES (
                ?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                coalesce(?, (SELECT tools FROM sessions WHERE id = ?1), '[]'))
            """,
            [
                .text(session.id), .text(session.cwd), .text(session.root), .text(session.transcriptPath),
                .text(session.permissionMode.spelling), SQLValue(session.startedAt), SQLValue(session.lastActivity),
                SQLValue(session.claudePID), SQLValue(session.claudeStartTime), SQLValue(session.isAttended),
                SQLValue(session.isUnverified), SQLValue(session.endedAt), SQLValue(session.title),
                SQLValue(session.lastPrompt), SQLValue(session.gate?.rawValue),
                SQLValue(session.isHeir), SQLValue(session.isOfThisMachine),
                SQLValue(isKept ? nil : .array(session.tools.map(\.json))),
            ])
    }

    /// The sessions that have not ended, oldest first: at most the thousand with the latest activity, the latest eight
    /// of them with their tool history, so that a start takes no longer when there are more. Those of this machine come
    /// before those that only devices told of.
    func liveSessions() throws(StoreError) -> [ExternalSession] {
        var number = 0
        return try query(
            """
            SELECT id, cwd, root, transcript_path, permission_mode, started_at, last_activity, claude_pid,
                claude_start_time, is_attended, is_unverified, ended_at, title, last_prompt, gate, is_heir,
                is_of_this_machine, tools
            FROM sessions WHERE ended_at IS NULL ORDER BY is_of_this_machine DESC, last_activity DESC LIMIT 1000
            """
        ) { row throws(StoreError) in
            number += 1
            return try ExternalSession(&row, number <= 8 ? tools : nil)
        }.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
    }
}

extension ExternalSession {
    /// - Parameter tools: `nil` to leave the tool history out.
    fileprivate init(_ row: inout Row, _ tools: (any ToolCatalog)?) throws(StoreError) {
        let id = row.text()
        let cwd = row.text()
        let root = row.text()
        let transcriptPath = row.text()
        let permissionMode = PermissionMode(row.text())
        let startedAt = row.time()
        let lastActivity = row.time()
        let claudePID = try row.optional { Int32(truncatingIfNeeded: $0.integer()) }
        let claudeStartTime = try row.optional { UInt64(bitPattern: $0.integer()) }
        let isAttended = row.bool()
        let isUnverified = row.bool()
        let endedAt = try row.optional { $0.time() }
        let title = try row.optional { $0.text() }
        let lastPrompt = try row.optional { $0.text() }
        let gate = try row.optional { $0.text() }.flatMap(Policy.Gate.init(rawValue:))
        let isHeir = row.bool()
        let isOfThisMachine = row.bool()
        self.init(
            id: id, cwd: cwd, root: root, transcriptPath: transcriptPath, permissionMode: permissionMode,
            startedAt: startedAt, lastActivity: lastActivity, claudePID: claudePID, claudeStartTime: claudeStartTime,
            isAttended: isAttended, isUnverified: isUnverified, title: title, lastPrompt: lastPrompt,
            gate: gate,
            tools: try tools.map { tools throws(StoreError) in
                try row.json().arrayValue?.compactMap { ToolRun($0, tools) } ?? []
            } ?? [], endedAt: endedAt)
        self.isHeir = isHeir
        self.isOfThisMachine = isOfThisMachine
    }
}
