package import Core

/// The part of the database that searches need.
package protocol HistoryStore: Sendable {
    func history(_ query: HistoryQuery) async throws -> HistoryPage
    /// Events numbered `sequence` and above, as many as `maxBytes` hold and `limit` allows.
    func events(from sequence: Int64, limit: Int, maxBytes: Int) async throws -> EventPage
}
