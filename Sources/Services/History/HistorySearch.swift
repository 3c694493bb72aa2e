package import Core
import Platform

/// Searches the audit log and reads the replay: one search at a time for each caller, because a search may read the
/// whole database.
package struct HistorySearch: HistoryService {
    private let store: any HistoryStore
    private let turns = Turns(mostWaiting: 8)

    package init(store: any HistoryStore) {
        self.store = store
    }

    package func history(_ query: HistoryQuery, by caller: Caller) async throws -> HistoryPage {
        let key = Self.key(of: caller)
        guard await turns.begin(key) else { throw HistoryBusy(waiting: turns.mostWaiting) }
        defer { turns.end(key) }
        return try await store.history(query)
    }

    package func events(from sequence: Int64, limit: Int, maxBytes: Int) async throws -> EventPage {
        try await store.events(from: sequence, limit: limit, maxBytes: maxBytes)
    }

    /// The user's own processes count as one caller, processes inside an agent as another.
    private static func key(of caller: Caller) -> String {
        caller.deviceID ?? (caller.isAgent ? "agent" : "local")
    }
}
