package import Core

/// The audit log, and the recorded events.
package protocol HistoryService: Sendable {
    /// A page of the audit log. One search at a time for each caller; throws `HistoryBusy` if too many of the caller's
    /// searches wait already.
    func history(_ query: HistoryQuery, by caller: Caller) async throws -> HistoryPage
    /// Events numbered `sequence` and above, as many as `maxBytes` hold and `limit` allows.
    func events(from sequence: Int64, limit: Int, maxBytes: Int) async throws -> EventPage
}

/// Too many searches of one caller wait for their turn.
package struct HistoryBusy: Error {
    package let waiting: Int

    package init(waiting: Int) {
        self.waiting = waiting
    }
}
