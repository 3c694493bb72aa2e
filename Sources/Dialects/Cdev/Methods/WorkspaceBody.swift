import Core
import OrderedJSON
import Services
import Wire

// The form of workspaces and their sessions in results.

extension Schema {
    /// The members of a workspace itself, which events have too.
    static let workspaceMembers = object([
        "id": .string, "name": .string, "path": .string, "auto_start": .boolean, "created_at": .time,
        "origin": .choice(Workspace.Origin.allCases.map(\.rawValue)).meaning(
            "`added` by a person, or `seen` with a session: ends \(Workspace.seenDays) days after the last one"),
        "last_active": .time.meaning("when a session was active there"),
    ])

    static let workspace = workspaceMembers.with(
        .object([
            "sessions": .list(.workspaceSession).meaning(
                "those that run, the one that was active last first, then those of the past, the newest first"),
            "active_session_count": .count.meaning("that run"), "has_active_session": .boolean,
            "active_session_id": .string.orNull.meaning("the one that a client activated, else the first that runs"),
            "git": .workspaceGit.optional.meaning("with `include_git`"),
            "note": .string.optional.meaning("what its owner should know"), "truncated": .truncated.optional,
        ])
    ).named("Workspace")

    static let workspaceSession = object([
        "id": .string, "workspace_id": .string, "status": .choice(["historical", "running"]),
        "started_at": .time.optional.meaning("of a running one"),
        "last_active": .time.optional.meaning("of a running one"),
        "summary": .string.optional.meaning("of one of the past"),
        "message_count": .count.optional.meaning("of one of the past"),
        "last_updated": .time.optional.meaning("of one of the past"),
        "viewers": .list(.string).meaning("ids of the clients that look at it"),
    ]).named("WorkspaceSession")

    private static let gitState = choice(GitFacts.State.allCases.map(\.rawValue))

    private static let workspaceGit = object([
        "state": gitState, "branch": .string.orNull, "repo_name": .string, "is_git_repo": .boolean,
        "last_error": .string,
    ]).named("WorkspaceGit")

    static let workspaceStatus = object([
        "workspace_id": .string, "workspace_name": .string, "path": .string, "auto_start": .boolean,
        "created_at": .time, "sessions": .list(.workspaceSession).meaning("those that run"),
        "active_session_count": .count, "has_active_session": .boolean,
        "git_tracker_state": gitState.meaning("`unavailable`: nobody can tell at present"),
        "git_repo_name": .string, "is_git_repo": .boolean, "git_last_error": .string,
        "is_being_watched": .boolean, "watched_session_id": .string.meaning("`\"\"`: none"),
    ])
}

extension Workspace {
    var listing: JSONObject {
        [
            "id": .string(id), "name": .string(name), "path": .string(path), "auto_start": .bool(isStartedWithDaemon),
            "created_at": .time(createdAt), "origin": .string(origin.rawValue), "last_active": .time(lastActive),
        ]
    }
}

extension WorkspaceView {
    /// - Parameter viewers: Returns the clients that look at a session.
    func listing(viewers: (String) -> [String]) -> JSONObject {
        var members = workspace.listing
        let past = historical.map { $0.listing(in: workspace, viewers: viewers($0.id)) }
        members["sessions"] = .array((runningSessions(viewers) + past).map(JSON.object))
        members["active_session_count"] = .count(running.count)
        members["has_active_session"] = .bool(!running.isEmpty)
        members["active_session_id"] = activeSession.map(JSON.id) ?? .null
        if let git { members["git"] = .object(git.listing) }
        if isHome { members["note"] = .string(Self.homeNote) }
        return members
    }

    func runningSessions(_ viewers: (String) -> [String]) -> [JSONObject] {
        running.map { $0.listing(in: workspace, viewers: viewers($0.id)) }
    }

    private static let homeNote =
        "this is your home directory: devices that may look see nearly every file you have, and those that may drive "
        + "change them"
}

extension RunningSession {
    fileprivate func listing(in workspace: Workspace, viewers: [String]) -> JSONObject {
        [
            "id": .id(id), "workspace_id": .string(workspace.id), "status": "running", "started_at": .time(startedAt),
            "last_active": .time(lastActive), "viewers": .array(viewers.map(JSON.string)),
        ]
    }
}

extension HistoricalSession {
    fileprivate func listing(in workspace: Workspace, viewers: [String]) -> JSONObject {
        [
            "id": .id(id), "workspace_id": .string(workspace.id), "status": "historical", "summary": .string(summary),
            "message_count": .count(messages), "last_updated": .time(lastUpdated),
            "viewers": .array(viewers.map(JSON.string)),
        ]
    }
}

extension GitFacts {
    var isRepository: Bool { state == .healthy || state == .unhealthy }

    fileprivate var listing: JSONObject {
        [
            "state": .string(state.rawValue), "branch": .text(branch), "repo_name": .string(repositoryName),
            "is_git_repo": .bool(isRepository), "last_error": .string(lastError),
        ]
    }
}

extension WorkspaceStatus {
    func listing(viewers: (String) -> [String]) -> JSONObject {
        let workspace = view.workspace
        return [
            "workspace_id": .string(workspace.id), "workspace_name": .string(workspace.name),
            "path": .string(workspace.path), "auto_start": .bool(workspace.isStartedWithDaemon),
            "created_at": .time(workspace.createdAt),
            "sessions": .array(view.runningSessions(viewers).map(JSON.object)),
            "active_session_count": .count(view.running.count), "has_active_session": .bool(!view.running.isEmpty),
            "git_tracker_state": .string(git.state.rawValue), "git_repo_name": .string(git.repositoryName),
            "is_git_repo": .bool(git.isRepository), "git_last_error": .string(git.lastError),
            "is_being_watched": .bool(watchedSession != nil), "watched_session_id": .id(watchedSession ?? ""),
        ]
    }
}
