package import Core
import OrderedJSON

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

    fileprivate func slice(of query: HistoryQuery, from place: HistoryCursor) throws(StoreError) -> [HistoryRow] {
        let count = try rows(of: query, from: place)
        let session = query.sessionID.map { _ in "session_id = ?6 AND" } ?? ""
        return try self.query(
            """
            SELECT number, created_at, (?3 IS NULL OR decision = ?3) AND (?4 IS NULL OR tool_name LIKE ?4 ESCAPE '\\'
                OR tool_input LIKE ?5 ESCAPE '\\' OR cwd LIKE ?4 ESCAPE '\\' OR id LIKE ?4 ESCAPE '\\'
                OR tool_use_id LIKE ?4 ESCAPE '\\' OR EXISTS (
                    SELECT 1 FROM resolutions WHERE request = requests.number AND (
                        resolver LIKE ?4 ESCAPE '\\' OR reason LIKE ?4 ESCAPE '\\' OR message LIKE ?4 ESCAPE '\\'))),
                input_bytes
            FROM requests WHERE \(session) (created_at, number) < (?1, ?2) AND created_at >= ?7
            ORDER BY created_at DESC, number DESC LIMIT \(count)
            """,
            [
                SQLValue(place.createdAt), .integer(place.number), SQLValue(query.decision?.rawValue),
                SQLValue(query.text.map(Self.pattern)), SQLValue(query.text.map { Self.pattern(Self.escaped($0)) }),
                SQLValue(query.sessionID), SQLValue(query.since ?? Timestamp(milliseconds: .min)),
            ]
        ) { HistoryRow(number: $0.integer(), createdAt: $0.time(), isWanted: $0.bool(), bytes: $0.integer()) }
    }

    private static func pattern(_ text: String) -> String {
        var pattern = "%"
        for letter in text.unicodeScalars {
            if letter == "%" || letter == "_" || letter == "\\" { pattern.unicodeScalars.append("\\") }
            pattern.unicodeScalars.append(letter)
        }
        return pattern + "%"
    }

    /// The text as written inside a JSON string, since inputs are stored as JSON.
    private static func escaped(_ text: String) -> String {
        String(JSON.string(text).serialized().dropFirst().dropLast())
    }
}
