import Core

/// The rows of the replay.
extension Database {
    /// Returns the running total of bytes. An event whose number is there already is not written.
    func writeEvent(
        _ sequence: Int64, at: Timestamp, text: String, after total: Int64
    ) throws(StoreError) -> Int64 {
        let bytes = Int64(text.utf8.count)
        try run(
            "INSERT INTO events (sequence, at, bytes, total, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [.integer(sequence), SQLValue(at), .integer(bytes), .integer(total + bytes), .text(text)])
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

    func events(in range: ClosedRange<Int64>) throws(StoreError) -> [StoredEvent] {
        try query(
            "SELECT sequence, text FROM events WHERE sequence BETWEEN ? AND ? ORDER BY sequence",
            [.integer(range.lowerBound), .integer(range.upperBound)]
        ) { StoredEvent(sequence: $0.integer(), text: $0.text()) }
    }
}

struct EventMark {
    let sequence: Int64
    let at: Timestamp
    let bytes: Int64
    let total: Int64
}
