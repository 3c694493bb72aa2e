import Core
import OrderedJSON

/// The sessions that the daemon runs, as rows of the list of all sessions. Such a row has the member `run`: the session as
/// `session/active` lists it.
enum RunSessionRows {
    /// The sessions that hooks told of and those that the daemon runs, each once.
    /// - Parameter directories: Those of workspaces, by their ids.
    static func joined(_ heard: [JSON], _ run: [JSON], _ directories: [String: String]) -> [JSON] {
        let runs = Dictionary(run.map { ($0.text("claude_session_id"), $0) }) { _, last in last }
        let known = Set(heard.map { $0.text("session_id") })
        let unheard = run.filter { !known.contains($0.text("claude_session_id")) }
        return heard.map { row in runs[row.text("session_id")].map { joined(row, $0) } ?? row }
            + unheard.map { joined(unheard: $0, directories) }
    }

    /// The daemon knows the state of what it runs; hooks tell of calls only, and of the process's end, after which the
    /// session may be parked.
    private static func joined(_ row: JSON, _ run: JSON) -> JSON {
        var members = row.objectValue ?? [:]
        members["state"] = .string(state(run.text("claude_state")))
        members["run"] = run
        if run["permission_mode"] != nil { members["permission_mode"] = run["permission_mode"] }
        if run["title"]?.stringValue != nil { members["title"] = run["title"] }
        if time(run["last_active"]) > time(row["last_activity"]) { members["last_activity"] = run["last_active"] }
        return .object(members)
    }

    private static func joined(unheard run: JSON, _ directories: [String: String]) -> JSON {
        var row: JSONObject = [
            "session_id": run["claude_session_id"] ?? "", "agent": "claude",
            "last_activity": run["last_active"] ?? .null,
        ]
        if let directory = directories[run.text("workspace_id")] {
            row["cwd"] = .string(directory)
            row["root"] = .string(directory)
        }
        return joined(.object(row), run)
    }

    /// Says that the project's own files do not count in a session; `nil` where they do, or nobody knows.
    static func settingsNote(_ run: JSON) -> String? {
        guard run["project_settings"] == "ignored" else { return nil }
        return "the project's own settings, hooks and servers do not count, as nobody trusted the directory"
    }

    private static func time(_ text: JSON?) -> Int64 {
        (text?.stringValue).flatMap { Timestamp(rfc3339: $0) }?.milliseconds ?? 0
    }

    /// The state that a session of hooks would have; one that such a session cannot have stays as it is.
    private static func state(_ state: String) -> String {
        ["idle": "active", "running": "tool_running", "waiting": "permission_pending"][state] ?? state
    }
}
