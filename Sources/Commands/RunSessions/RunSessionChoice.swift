import OrderedJSON

/// A session that the daemon runs, found by what a person types.
enum RunSessionChoice {
    /// The only such session whose id, or whose conversation's id, `typed` begins.
    static func find(_ typed: String, _ client: DaemonClient) throws(CommandFailure) -> String {
        let sessions = try client.call("session/active").list("sessions")
        let ids = sessions.map { (id: $0.text("id"), about: about($0)) }
        let conversations = sessions.map { (id: $0.text("claude_session_id"), about: about($0)) }
        if let id = try ShortID.find(typed, among: ids, "sessions") { return id }
        if let id = try ShortID.find(typed, among: conversations, "sessions"),
            let session = sessions.first(where: { $0.text("claude_session_id") == id })
        {
            return session.text("id")
        }
        let known = ids.isEmpty ? "it runs none; `cdev run` starts one" : ShortID.list(ids)
        throw CommandFailure(
            .other, "the daemon runs no session whose id begins with \(typed.shown(60)): \(known)")
    }

    private static func about(_ session: JSON) -> String {
        let title = session.text("title")
        return
            "\(session.text("claude_state")), \(title.isEmpty ? "since \(session.clock("started_at"))" : title.shown(40))"
    }

    static func end(_ typed: String, _ client: DaemonClient) throws(CommandFailure) {
        let id = try find(typed, client)
        _ = try client.call("session/stop", ["session_id": .string(id)])
        Terminal.write(
            "\(ShortID.text(id, among: [])) is being ended; `cdev transcript` shows what was said in it\n")
    }
}
