import Core
import OrderedJSON

/// Reads the index, on a connection and a thread of its own: a page does not wait for what is being taken in.
actor TranscriptReader {
    private let path: String
    nonisolated let source: any TranscriptSource
    private nonisolated let thread: StoreThread
    private var database: Database?

    /// Bytes of the lines that one page reads; a longer first line is read all the same.
    private static let mostRead = 16 << 20

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(path: String, source: any TranscriptSource) {
        self.path = path
        self.source = source
        // A page takes as long as its lines have bytes, and no hook waits for it.
        thread = StoreThread(givesWay: true)
    }

    deinit {
        thread.stop()
    }

    func close() {
        database?.close()
        database = nil
    }

    /// To be called once the writer has opened the database.
    func using<Value>(_ body: (Database) throws(StoreError) -> Value) throws(StoreError) -> Value {
        if let database { return try body(database) }
        let opened = try TranscriptSchema.open(path)
        try opened.execute("PRAGMA query_only=ON")
        database = opened
        return try body(opened)
    }

    func sessions(
        in directory: String?, but deleted: [String: Timestamp], limit: Int, offset: Int
    ) throws(StoreError) -> (sessions: [TranscriptSession], total: Int) {
        try using { (database) throws(StoreError) in
            let (condition, values) = Self.condition(directory, but: deleted)
            let sessions = try database.query(
                """
                SELECT session, \(Database.factColumns) FROM files WHERE agent IS NULL AND messages > 0 AND \(condition)
                ORDER BY last_time DESC, id DESC LIMIT ? OFFSET ?
                """, values + [SQLValue(limit), SQLValue(offset)]
            ) { row throws(StoreError) in TranscriptSession(sessionID: row.text(), facts: try row.facts()) }
            let total = try database.query(
                "SELECT count(*) FROM files WHERE agent IS NULL AND messages > 0 AND \(condition)", values
            ) { Int($0.integer()) }.first
            return (sessions, total ?? 0)
        }
    }

    /// The condition for files of sessions in the directory or below it that are not deleted.
    static func condition(
        _ directory: String?, but deleted: [String: Timestamp]
    ) -> (sql: String, values: [SQLValue]) {
        let (sql, values) = condition(directory)
        guard !deleted.isEmpty else { return (sql, values) }
        let times = JSON.object(JSONObject(deleted.map { ($0.key, .number(JSONNumber(Int($0.value.milliseconds)))) }))
        return (
            """
            \(sql) AND files.session NOT IN (
              SELECT own.session FROM json_each(?) AS gone JOIN files AS own ON own.session = gone.key
              WHERE own.agent IS NULL GROUP BY own.session HAVING max(coalesce(own.last_time, 0)) <= max(gone.value))
            """, values + [.text(times.serialized())]
        )
    }

    /// `0` follows `/` in ASCII.
    private static func condition(_ directory: String?) -> (sql: String, values: [SQLValue]) {
        guard let directory else { return ("1", []) }
        guard directory != "/" else { return ("files.cwd >= '/'", []) }
        return (
            "(files.cwd = ? OR files.cwd >= ? AND files.cwd < ?)",
            [.text(directory), .text(directory + "/"), .text(directory + "0")]
        )
    }

    func session(_ id: String) throws(StoreError) -> (session: TranscriptSession, path: String)? {
        guard let file = try file(of: id, agent: nil) else { return nil }
        return (TranscriptSession(sessionID: id, facts: file.facts), file.path)
    }

    struct FoundFile {
        let id: Int64
        let path: String
        let facts: TranscriptFacts
    }

    /// Where two projects have a transcript of the same session, the one that was written last.
    func file(of session: String, agent: String?) throws(StoreError) -> FoundFile? {
        try using { (database) throws(StoreError) in
            try database.query(
                """
                SELECT id, path, \(Database.factColumns) FROM files WHERE session = ? AND agent IS ?
                ORDER BY last_time DESC LIMIT 1
                """, [.text(session), SQLValue(agent)]
            ) { row throws(StoreError) in FoundFile(id: row.integer(), path: row.text(), facts: try row.facts()) }.first
        }
    }

    func page(_ query: TranscriptPageQuery) throws(StoreError) -> TranscriptPage? {
        guard let file = try file(of: query.sessionID, agent: query.agentID) else { return nil }
        let first = try first(of: query, in: file)
        let places = first.map { try? self.places(in: file, from: $0, query.order, query.limit) } ?? []
        var page = TranscriptPage(
            messages: source.messages(Self.bounded(places ?? []), of: file.path), total: file.facts.messages)
        if query.agentID == nil {
            page.subagents = try subagents(of: query.sessionID)
            page.links = try links(of: query.sessionID, file)
        }
        return page
    }

    /// The number of the first message; `nil` where the transcript has none there.
    private func first(of query: TranscriptPageQuery, in file: FoundFile) throws(StoreError) -> Int64? {
        if let call = query.toolUseID {
            return try firstKey(holding: call, in: LineKey.range(of: file.id)).map(LineKey.number)
        }
        guard query.offset < file.facts.messages else { return nil }
        return query.order == .ascending ? query.offset + 1 : file.facts.messages - query.offset
    }

    private func places(
        in file: FoundFile, from number: Int64, _ order: TranscriptPageQuery.Order, _ limit: Int
    ) throws(StoreError) -> [TranscriptPlace] {
        let keys = LineKey.range(of: file.id)
        let first = keys.lowerBound + number
        let isUp = order == .ascending
        return try using { (database) throws(StoreError) in
            try database.query(
                """
                SELECT id, offset, length FROM lines WHERE id BETWEEN ? AND ? ORDER BY id \(isUp ? "ASC" : "DESC")
                LIMIT ?
                """,
                [
                    .integer(isUp ? first : keys.lowerBound), .integer(isUp ? keys.upperBound : first),
                    SQLValue(limit),
                ]
            ) {
                TranscriptPlace(
                    number: LineKey.number(of: $0.integer()), offset: $0.integer(), length: Int($0.integer()))
            }
        }
    }

    private static func bounded(_ places: [TranscriptPlace]) -> [TranscriptPlace] {
        var left = mostRead
        return Array(
            places.prefix { place in
                defer { left -= place.length }
                return left == mostRead || place.length <= left
            })
    }

    func messages(
        of session: String, agent: String?, after number: Int64, limit: Int
    ) throws(StoreError) -> [TranscriptMessage] {
        guard let file = try file(of: session, agent: agent) else { return [] }
        let places = try places(in: file, from: number + 1, .ascending, limit)
        return source.messages(Self.bounded(places), of: file.path)
    }

    func subagents(of session: String) throws(StoreError) -> [TranscriptPage.Subagent] {
        try using { (database) throws(StoreError) in
            try database.query(
                """
                SELECT agent, messages, call, agent_type, agent_summary FROM files
                WHERE session = ? AND agent IS NOT NULL ORDER BY first_time, id LIMIT 500
                """, [.text(session)]
            ) { row throws(StoreError) in
                let (agent, messages) = (row.text(), row.integer())
                let call = try row.optional { $0.text() }
                let (type, summary) = (row.text(), row.text())
                return TranscriptPage.Subagent(
                    agentID: agent, note: call.map { SubagentNote(toolUseID: $0, type: type, summary: summary) },
                    messages: messages)
            }
        }
    }
}
