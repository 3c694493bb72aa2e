import Core
import Platform

/// The workspaces that one connection subscribed to. Without any it gets the events of all.
package final class WorkspaceSubscriptions: Sendable {
    private let ids = Locked<Set<String>>([])

    package init() {}

    /// The ids, sorted.
    package var all: [String] { ids.withLock { $0.sorted() } }

    /// Returns false if the connection has as many subscriptions as there can be workspaces.
    package func subscribe(_ id: String) -> Bool {
        ids.withLock { ids in
            guard ids.count < WorkspaceBook.limit || ids.contains(id) else { return false }
            ids.insert(id)
            return true
        }
    }

    package func unsubscribe(_ id: String) {
        ids.withLock { _ = $0.remove(id) }
    }

    package func subscribeToAll() {
        ids.withLock { $0 = [] }
    }

    /// Lets events through that concern one of the workspaces or none, and requests that the caller may answer.
    package var filter: EventFilter {
        let ids = ids.withLock { $0 }
        return ids.isEmpty ? EventFilter() : EventFilter(workspaces: ids.union([""]), keepsRequests: true)
    }
}
