package import Core

extension WorkspaceManager: WorkspaceService {
    /// The most sessions of the past that one workspace lists.
    private static let mostHistorical = 20

    package func workspace(_ id: String) async -> Workspace? { await register.workspace(id) }

    package func workspace(holding path: String) async -> Workspace? { await register.workspace(holding: path) }

    package func workspace(at path: String) async -> Workspace? {
        await workspace(holding: (try? await resolve(path, creating: false)) ?? path)
    }

    package func ids(of requests: [PermissionRequest]) async -> [String: String] {
        let ids = requests.map { ($0.id, register.id(at: $0.cwd, session: $0.sessionID)) }
        return Dictionary(ids.filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
    }

    package func workspaces(gitLimit: Int) async -> [WorkspaceView] {
        let list = register.state.withLock { $0.book.list }
        let running = await running()
        let withGit = Set(list.sorted { $0.lastActive > $1.lastActive }.prefix(gitLimit).map(\.id))
        var views: [WorkspaceView] = []
        for workspace in list {
            var view = await view(of: workspace, running[workspace.id] ?? [])
            if withGit.contains(workspace.id) { view.git = await parts.git.facts(of: workspace) }
            views.append(view)
        }
        return views
    }

    package func view(of id: String) async throws(WorkspaceFailure) -> WorkspaceView {
        guard let workspace = await workspace(id) else { throw .refused(.unknown(id)) }
        return await view(of: workspace)
    }

    package func status(of id: String) async throws(WorkspaceFailure) -> WorkspaceStatus {
        let view = try await view(of: id)
        return WorkspaceStatus(
            view: view, git: await parts.git.facts(of: view.workspace),
            watchedSession: await parts.history.watchedSession(in: view.workspace))
    }

    func view(of workspace: Workspace) async -> WorkspaceView {
        await view(of: workspace, running()[workspace.id] ?? [])
    }

    private func view(of workspace: Workspace, _ running: [RunningSession]) async -> WorkspaceView {
        var view = WorkspaceView(workspace: workspace)
        view.running = running
        let ids = Set(running.map(\.id))
        let history = await parts.history.sessions(in: workspace, atMost: Self.mostHistorical + ids.count)
        view.historical = Array(history.filter { !ids.contains($0.id) }.prefix(Self.mostHistorical))
        view.activeSession = await parts.history.activeSession(in: workspace) ?? running.first?.id
        view.isHome = workspace.path == parts.places.home
        return view
    }

    /// The sessions that have not ended, by workspace, under the agent's ids. One that the daemon runs is there before its
    /// agent has called a hook; the one that was active last comes first.
    private func running() async -> [String: [RunningSession]] {
        var sessions: [String: [RunningSession]] = [:]
        for view in await parts.broker.sessions() {
            guard let workspace = register.workspace(of: view.session) else { continue }
            sessions[workspace.id, default: []].append(
                RunningSession(
                    id: view.session.id, startedAt: view.session.startedAt, lastActive: view.session.lastActivity))
        }
        for run in parts.runs.running where sessions[run.workspaceID]?.contains(where: { $0.id == run.agentID }) != true
        {
            sessions[run.workspaceID, default: []].append(
                RunningSession(id: run.agentID, startedAt: run.startedAt, lastActive: run.clocks.lastActivity))
        }
        return sessions.mapValues { $0.sorted { ($0.lastActive, $0.id) > ($1.lastActive, $1.id) } }
    }
}
