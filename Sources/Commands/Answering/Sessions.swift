import Core
import OrderedJSON

extension Command {
    static let sessions = Command(
        "sessions", summary: "show the agents' sessions", options: [.json]
    ) { invocation in
        let result = try Places(invocation).client.call("hook/sessions")
        ListOutput.print(
            invocation, result,
            ["SESSION", "AGENT", "STATE", "MODE", "GATE", "TOOL", "WAITING", "DIRECTORY", "LAST ACTIVITY"],
            result.list("sessions").map { session in
                [
                    String(SessionChoice.ownID(session).shown(40).prefix(8)), session.text("agent").shown(20),
                    state(session), session.text("permission_mode").shown(20), gate(session),
                    session.text("current_tool").cell, session.text("pending_requests"),
                    session.text("cwd").cell, session.clock("last_activity"),
                ]
            }, cutting: ["TOOL", "DIRECTORY"],
            empty: "no session has called a hook yet; start Claude Code, or see `cdev doctor`")
        guard !invocation.wantsJSON else { return }
        for note in Set(result.list("sessions").map { $0.text("mode_note") }).sorted() where !note.isEmpty {
            Terminal.write("\(note.shown(400))\n")
        }
        for bystander in result.list("bystanders") {
            let seen = "last heard of \(bystander.clock("last_seen")) in \(bystander.text("cwd").shown(200))"
            Terminal.write("not held: \(bystander.text("reason").shown(400)); \(seen)\n")
        }
    }

    /// The state in words, as the page has them.
    private static func state(_ session: JSON) -> String {
        switch SessionView.State(rawValue: session.text("state")) {
        case .permissionPending: "waiting"
        case .stale: "silent"
        case .toolRunning: "running"
        case .active, .ended, nil: session.text("state").shown(20)
        }
    }

    /// The gate in force, marked if it is the session's own; empty if the daemon does not tell.
    private static func gate(_ session: JSON) -> String {
        session.text("gate").shown(20) + (session["gate_own"]?.boolValue == true ? " (own)" : "")
    }
}

/// A session, found by what a person types.
enum SessionChoice {
    /// The session whose id begins with `typed`, with or without the agent's name; `nil` if the daemon knows none.
    static func find(_ typed: String, _ client: DaemonClient) throws(CommandFailure) -> JSON? {
        let sessions = try client.call("hook/sessions").list("sessions")
        if let exact = sessions.first(where: { $0.text("session_id") == typed }) { return exact }
        let named = sessions.map { (id: ownID($0), about: $0.text("cwd").shown(60)) }
        guard let id = try ShortID.find(typed, among: named, "sessions") else { return nil }
        return sessions.first { ownID($0) == id }
    }

    /// The session's id without the agent's name, which has a column of its own.
    static func ownID(_ session: JSON) -> String {
        let id = session.text("session_id")
        let prefix = session.text("agent") + ":"
        return id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
    }
}
