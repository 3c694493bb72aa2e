package import Core

extension Store {
    /// Events numbered `sequence` and above: at most `limit`, and at most `maxBytes` of text unless the first alone is
    /// larger.
    package func events(from sequence: Int64, limit: Int, maxBytes: Int = 1 << 20) throws(StoreError) -> EventPage {
        flushForReading()
        let missing = missingThrough
        return try withRepair { (database) throws(StoreError) in
            let marks = try database.eventMarks(from: sequence, limit: max(1, limit) + 1)
            let last = Self.lastFitting(marks, limit: max(1, limit), maxBytes: Int64(maxBytes))
            guard let first = marks.first, let last else {
                return EventPage(
                    events: [], nextSequence: max(sequence, missing + 1), gap: sequence <= missing, hasMore: false)
            }
            return EventPage(
                events: try database.events(in: first.sequence...last.sequence), nextSequence: last.sequence + 1,
                gap: sequence <= missing, hasMore: last.sequence != marks.last?.sequence)
        }
    }

    private static func lastFitting(_ marks: [EventMark], limit: Int, maxBytes: Int64) -> EventMark? {
        var bytes: Int64 = 0
        let fitting = marks.prefix(limit).prefix { mark in
            bytes += mark.bytes
            return bytes <= maxBytes
        }
        return fitting.last ?? marks.first
    }
}
