package import Core
package import OrderedJSON

extension Store {
    /// Returns a page of the audit log. The search reads a few rows at a time and lets commits run in between, however
    /// many rows there are; cancelling the task ends it. A page also ends once its inputs have `pageBytes`.
    package func history(_ query: HistoryQuery) async throws -> HistoryPage {
        flushForReading()
        let start = HistoryCursor(createdAt: query.before ?? Timestamp(milliseconds: .max), number: 0)
        var place = query.cursor ?? start
        var entries: [HistoryEntry] = []
        var room = Self.pageBytes
        while true {
            try Task.checkCancellation()
            let rows = try withRepair { (database) throws(StoreError) in try database.slice(of: query, from: place) }
            for row in rows {
                guard entries.count < query.limit, room > 0 else { return HistoryPage(entries: entries, next: place) }
                place = HistoryCursor(createdAt: row.createdAt, number: row.number)
                guard row.isWanted, let entry = try entry(row.number) else { continue }
                entries.append(entry)
                room -= row.bytes
            }
            guard !rows.isEmpty else { return HistoryPage(entries: entries, next: nil) }
            await Task.yield()
        }
    }

    /// Bytes. Entries hold whole inputs, and a thousand of the largest would fill the memory.
    private static var pageBytes: Int64 { 4 << 20 }

    package func changedInput(ofRequest id: String) async throws -> KeptJSON? {
        try withRepair { (database) throws(StoreError) in try database.update(of: id) }
    }

    private func entry(_ number: Int64) throws(StoreError) -> HistoryEntry? {
        try withRepair { (database) throws(StoreError) in try database.entry(number: number) }
    }

    /// Writes the queue, so that a reader sees it. Does nothing while writing fails: a reader must not wait for yet
    /// another attempt.
    func flushForReading() {
        guard status.failure == nil else { return }
        try? flush()
    }
}

private struct HistoryRow {
    let number: Int64
    let createdAt: Timestamp
    let isWanted: Bool
    let bytes: Int64
}

extension Database {
    private static var sliceSize: Int { 200 }

    /// The most bytes of inputs that one slice searches, unless a single input has more. Nothing is written meanwhile.
    private static var sliceBytes: Int64 { 1 << 20 }

    /// The number of rows of the next slice: fewer if their inputs are large and are to be searched.
    private func rows(of query: HistoryQuery, from place: HistoryCursor) throws(StoreError) -> Int {
        guard query.text != nil else { return Self.sliceSize }
        let session = query.sessionID.map { _ in "session_id = ?3 AND" } ?? ""
        let sizes = try self.query(
            """
            SELECT input_bytes FROM requests WHERE \(session) (created_at, number) < (?1, ?2) AND created_at >= ?4
            ORDER BY created_at DESC, number DESC LIMIT \(Self.sliceSize)
            """,
            [
                SQLValue(place.createdAt), .integer(place.number), SQLValue(query.sessionID),
                SQLValue(query.since ?? Timestamp(milliseconds: .min)),
            ]
        ) { $0.integer() as Int64 }
        var room = Self.sliceBytes
        let fitting = sizes.prefix { size in
            room -= size
            return room >= 0
        }
        return max(1, fitting.count)
    }

    /// `instr` and not `LIKE`, which compares character by character at each place: a text that nearly matches everywhere
    /// in ten megabytes took it a minute, in which no decision was written.
    fileprivate func slice(of query: HistoryQuery, from place: HistoryCursor) throws(StoreError) -> [HistoryRow] {
        let count = try rows(of: query, from: place)
        let session = query.sessionID.map { _ in "session_id = ?6 AND" } ?? ""
        return try self.query(
            """
            SELECT number, created_at, (?3 IS NULL OR decision = ?3) AND (?4 IS NULL OR instr(lower(tool_name), ?4)
                OR instr(lower(tool_input), ?5) OR instr(lower(cwd), ?4) OR instr(lower(id), ?4)
                OR instr(lower(tool_use_id), ?4) OR EXISTS (
                    SELECT 1 FROM resolutions WHERE request = requests.number AND (
                        instr(lower(resolver), ?4) OR instr(lower(reason), ?4) OR instr(lower(message), ?4)))),
                input_bytes
            FROM requests WHERE \(session) (created_at, number) < (?1, ?2) AND created_at >= ?7
            ORDER BY created_at DESC, number DESC LIMIT \(count)
            """,
            [
                SQLValue(place.createdAt), .integer(place.number), SQLValue(query.decision?.rawValue),
                SQLValue(query.text.map(Self.lowercased)),
                SQLValue(query.text.map { Self.lowercased(Self.escaped($0)) }),
                SQLValue(query.sessionID), SQLValue(query.since ?? Timestamp(milliseconds: .min)),
            ]
        ) { HistoryRow(number: $0.integer(), createdAt: $0.time(), isWanted: $0.bool(), bytes: $0.integer()) }
    }

    /// The text with ASCII letters in lower case, as SQLite's `lower` returns it.
    private static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The text as written inside a JSON string, since inputs are stored as JSON.
    private static func escaped(_ text: String) -> String {
        String(JSON.string(text).serialized().dropFirst().dropLast())
    }
}
