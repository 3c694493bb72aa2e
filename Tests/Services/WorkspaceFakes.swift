import Core
import Platform
import Services

/// Memory in place of the database.
final class KeptInMemory: WorkspaceStore {
    private struct Full: Error {}

    private struct State {
        var kept: [String: Workspace] = [:]
        var removals: [WorkspaceRemoval] = []
        var isFull = false
    }

    private let state = Locked(State())

    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    var kept: [Workspace] { state.withLock { $0.kept.values.sorted { $0.path < $1.path } } }
    var removals: [WorkspaceRemoval] { state.withLock { $0.removals } }
    var removed: [String] { removals.map(\.workspace.id) }

    func keep(_ workspaces: [Workspace], forgetting ids: [String]) async throws {
        if isFull { throw Full() }
        state.withLock { state in
            for id in ids { state.kept[id] = nil }
            for workspace in workspaces { state.kept[workspace.id] = workspace }
        }
    }

    func remove(_ removal: WorkspaceRemoval) async throws {
        if isFull { throw Full() }
        state.withLock { state in
            state.kept[removal.workspace.id] = nil
            state.removals.append(removal)
        }
    }
}

/// A disk with a link: `/srv/link` leads to `/srv/real`. `/none` is missing.
final class FakeFolders: WorkspaceDirectories {
    private let asked = Locked<[[String]]>([])
    private let gate = Locked(false)

    var searched: [[String]] { asked.withLock { $0 } }

    func hang() { gate.withLock { $0 = true } }
    func goOn() { gate.withLock { $0 = false } }

    func resolve(_ path: String, creating: Bool) throws(DirectoryProblem) -> String {
        while gate.withLock({ $0 }) {}
        if path == "/none", !creating { throw .missing }
        return path.hasPrefix("/srv/link") ? "/srv/real" + path.dropFirst("/srv/link".count) : path
    }

    func repositories(below directories: [String], _ limits: DiscoveryLimits, isOver: () -> Bool) -> FoundRepositories {
        asked.withLock { $0.append(directories) }
        var found = FoundRepositories()
        found.paths = ["/srv/a", "/srv/real"]
        return found
    }
}

struct FakeHistory: WorkspaceHistory {
    func sessions(in workspace: Workspace, atMost limit: Int) async -> [HistoricalSession] {
        ["s1", "old"].map {
            HistoricalSession(id: $0, summary: "", messages: 1, lastUpdated: Timestamp(milliseconds: 0))
        }
    }

    func watchedSession(in workspace: Workspace) async -> String? { "s1" }
    func activeSession(in workspace: Workspace) async -> String? { nil }
}
