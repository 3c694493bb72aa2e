import Core
import Platform
import Services

/// Workspaces in memory.
final class FakeWorkspaces: WorkspaceService {
    struct State {
        var views: [WorkspaceView] = []
        var failure: WorkspaceFailure?
        var git = GitFacts(state: .healthy, branch: "main", repositoryName: "my-project")
        var watched: String?
        var discovery = Discovery(found: FoundRepositories(), workspaces: [:], milliseconds: 7)
        var asked: [String] = []
    }

    let state = Locked(State())

    private func note(_ words: String) throws(WorkspaceFailure) {
        let failure = state.withLock { state in
            state.asked.append(words)
            return state.failure
        }
        if let failure { throw failure }
    }

    func workspace(_ id: String) async -> Workspace? {
        state.withLock { $0.views.first { $0.workspace.id == id }?.workspace }
    }

    func workspace(holding path: String) async -> Workspace? {
        state.withLock { $0.views.first { path.hasPrefix($0.workspace.path) }?.workspace }
    }

    func workspace(at path: String) async -> Workspace? { await workspace(holding: path) }

    func workspaces(gitLimit: Int) async -> [WorkspaceView] {
        state.withLock { state in
            state.views.enumerated().map { index, view in
                var view = view
                if index < gitLimit { view.git = state.git }
                return view
            }
        }
    }

    func ids(of requests: [PermissionRequest]) async -> [String: String] {
        var ids: [String: String] = [:]
        for request in requests { ids[request.id] = await workspace(holding: request.cwd)?.id }
        return ids
    }

    func view(of id: String) async throws(WorkspaceFailure) -> WorkspaceView {
        guard let view = state.withLock({ $0.views.first { $0.workspace.id == id } }) else {
            throw .refused(.unknown(id))
        }
        return view
    }

    func status(of id: String) async throws(WorkspaceFailure) -> WorkspaceStatus {
        let view = try await view(of: id)
        return state.withLock { WorkspaceStatus(view: view, git: $0.git, watchedSession: $0.watched) }
    }

    func add(_ wish: WorkspaceWish) async throws(WorkspaceFailure) -> WorkspaceView {
        try note("add \(wish.path) \(wish.name ?? "-") \(wish.isStartedWithDaemon) \(wish.createsDirectory)")
        let view = WorkspaceView(
            workspace: Workspace(
                id: "ws-new", name: wish.name ?? "x", path: wish.path, origin: .added, createdAt: moment(0),
                lastActive: moment(0)))
        state.withLock { $0.views.append(view) }
        return view
    }

    func update(
        _ id: String, name: String?, isStartedWithDaemon: Bool?
    ) async throws(WorkspaceFailure) -> WorkspaceView {
        try note("update \(id) \(name ?? "-") \(isStartedWithDaemon.map { "\($0)" } ?? "-")")
        return try await view(of: id)
    }

    func remove(_ id: String) async throws(WorkspaceFailure) -> Workspace {
        try note("remove \(id)")
        return try await view(of: id).workspace
    }

    func discover(below directories: [String]) async throws(WorkspaceFailure) -> Discovery {
        try note("discover \(directories)")
        return state.withLock { $0.discovery }
    }
}

/// Learns nothing.
struct NoPlaces: SessionPlaces {
    func note(_ call: HookCall) {}
}
