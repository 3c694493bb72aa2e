package import Core

/// The database as searches need it.
package protocol HistoryStore: Sendable {
    func history(_ query: HistoryQuery) async throws -> HistoryPage
    /// Events numbered `sequence` and above, as many as `maxBytes` hold and `limit` allows.
    func events(from sequence: Int64, limit: Int, maxBytes: Int) async throws -> EventPage
}
