package import Core

extension Store {
    /// Events numbered `sequence` and above: at most `limit`, and at most `maxBytes` of bodies unless the first alone
    /// is larger. The bodies are parsed on the caller's thread, not on the one that writes decisions. An event that
    /// cannot be read is left out, and the page has a gap.
    package nonisolated func events(
        from sequence: Int64, limit: Int, maxBytes: Int = 1 << 20
    ) async throws -> EventPage {
        let page = try await rows(from: sequence, limit: max(1, limit), maxBytes: Int64(maxBytes))
        let events = page.rows.compactMap { try? $0.event(tools) }
        return EventPage(
            events: events, nextSequence: page.nextSequence, gap: page.gap || events.count < page.rows.count,
            hasMore: page.hasMore)
    }

    private struct RowPage {
        let rows: [EventRow]
        let nextSequence: Int64
        let gap: Bool
        let hasMore: Bool
    }

    private func rows(from sequence: Int64, limit: Int, maxBytes: Int64) throws(StoreError) -> RowPage {
        flushForReading()
        let missing = missingThrough
        return try withRepair { (database) throws(StoreError) in
            let marks = try database.eventMarks(from: sequence, limit: limit + 1)
            let last = Self.lastFitting(marks, limit: limit, maxBytes: maxBytes)
            guard let first = marks.first, let last else {
                return RowPage(
                    rows: [], nextSequence: max(sequence, missing + 1), gap: sequence <= missing, hasMore: false)
            }
            return RowPage(
                rows: try database.events(in: first.sequence...last.sequence), nextSequence: last.sequence + 1,
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
