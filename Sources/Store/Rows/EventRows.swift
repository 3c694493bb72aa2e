import Core

/// The rows of the replay.
extension Database {
    /// Returns the running total of bytes. An event whose number is there already is not written.
    func write(_ record: EventRecord, after total: Int64) throws(StoreError) -> Int64 {
        let text = EventBodyWriter.text(of: record.body)
        let bytes = Int64(text.utf8.count)
        try run(
            """
            INSERT INTO events (sequence, at, bytes, total, text, version, workspace_id, session_id, kind)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                .integer(record.sequence), SQLValue(record.at), .integer(bytes), .integer(total + bytes), .text(text),
                .integer(EventBodyWriter.version), .text(record.workspaceID), .text(record.sessionID),
                .text(record.kind.rawValue),
            ])
        return changes == 0 ? total : total + bytes
    }

    /// The running total after the last event.
    func eventTotal() throws(StoreError) -> Int64 {
        try query("SELECT total FROM events ORDER BY sequence DESC LIMIT 1") { $0.integer() }.first ?? 0
    }

    /// At most `limit` events from `sequence` on, without their texts.
    func eventMarks(from sequence: Int64, limit: Int) throws(StoreError) -> [EventMark] {
        try query(
            "SELECT sequence, at, bytes, total FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?",
            [.integer(sequence), SQLValue(limit)]
        ) { EventMark(sequence: $0.integer(), at: $0.time(), bytes: $0.integer(), total: $0.integer()) }
    }

    func deleteEvents(through sequence: Int64) throws(StoreError) {
        try run("DELETE FROM events WHERE sequence <= ?", [.integer(sequence)])
    }

    func events(in range: ClosedRange<Int64>) throws(StoreError) -> [EventRow] {
        try query(
            """
            SELECT sequence, at, workspace_id, session_id, kind, version, text FROM events
            WHERE sequence BETWEEN ? AND ? ORDER BY sequence
            """, [.integer(range.lowerBound), .integer(range.upperBound)]
        ) { row in
            EventRow(
                sequence: row.integer(), at: row.time(), workspaceID: row.text(), sessionID: row.text(),
                kind: row.text(), version: row.integer(), text: row.text())
        }
    }
}

struct EventMark {
    let sequence: Int64
    let at: Timestamp
    let bytes: Int64
    let total: Int64
}

/// An event as the database has it.
struct EventRow: Sendable {
    let sequence: Int64
    let at: Timestamp
    let workspaceID: String
    let sessionID: String
    let kind: String
    let version: Int64
    let text: String

    /// Parses the body, which takes time in proportion to its size.
    func event(_ tools: any ToolCatalog) throws(StoreError) -> StoredEvent {
        switch version {
        case 1: .notification(sequence: sequence, text: text)
        case 2: .record(try record(tools))
        default: throw StoreError(.corrupt, "no version of cdev wrote events of version \(version)")
        }
    }

    private func record(_ tools: any ToolCatalog) throws(StoreError) -> EventRecord {
        guard let kind = EventKind(rawValue: kind) else { throw StoreError(.corrupt, "no event is a \(kind)") }
        return EventRecord(
            sequence: sequence, at: at, workspaceID: workspaceID, sessionID: sessionID,
            body: try EventBodyReader.body(kind, text, sessionID: sessionID, tools))
    }
}
