package import Core

/// Ended requests, and the events that led to them.
package protocol HistoryService: Sendable {
    /// One search at a time for each caller; throws `HistoryBusy` where too many of his wait already.
    func history(_ query: HistoryQuery, by caller: Caller) async throws -> HistoryPage
    /// Events numbered `sequence` and above, as many as `maxBytes` hold and `limit` allows.
    func events(from sequence: Int64, limit: Int, maxBytes: Int) async throws -> EventPage
}

/// So many searches of one caller wait for their turn, and no more may.
package struct HistoryBusy: Error {
    package let waiting: Int

    package init(waiting: Int) {
        self.waiting = waiting
    }
}
