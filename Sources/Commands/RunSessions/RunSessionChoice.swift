import OrderedJSON

/// A session that the daemon runs, found by what a person types.
enum RunSessionChoice {
    /// The id of the only such session whose id, or whose conversation's id, `typed` begins.
    static func find(_ typed: String, _ client: DaemonClient) throws(CommandFailure) -> String {
        let sessions = try client.call("session/active").list("sessions")
        if let session = try find(typed, among: sessions) { return session.text("id") }
        let ids = sessions.map { (id: $0.text("id"), about: about($0)) }
        let known = ids.isEmpty ? "it runs none; `cdev run` starts one" : ShortID.list(ids)
        throw CommandFailure(
            .other, "the daemon runs no session whose id begins with \(typed.shown(60)): \(known)")
    }

    /// The only session that the daemon runs whose id `typed` begins, or the one that has ended whose whole id it is; `nil`
    /// if the daemon knows none.
    static func session(_ typed: String, _ client: DaemonClient) throws(CommandFailure) -> JSON? {
        let sessions = try client.call("session/active").list("sessions")
        if let session = try find(typed, among: sessions) { return session }
        return typed.hasPrefix("s_") ? try? client.call("session/info", ["session_id": .string(typed)]) : nil
    }

    private static func find(_ typed: String, among sessions: [JSON]) throws(CommandFailure) -> JSON? {
        for key in ["id", "claude_session_id"] {
            let ids = sessions.map { (id: $0.text(key), about: about($0)) }
            guard let id = try ShortID.find(typed, among: ids, "sessions") else { continue }
            return sessions.first { $0.text(key) == id }
        }
        return nil
    }

    private static func about(_ session: JSON) -> String {
        let title = session.text("title")
        return
            "\(session.text("claude_state")), \(title.isEmpty ? "since \(session.clock("started_at"))" : title.shown(40))"
    }

    static func end(_ typed: String, _ client: DaemonClient) throws(CommandFailure) {
        let id = try find(typed, client)
        // One that has ended is found by its conversation.
        let session = try client.call("session/info", ["session_id": .string(id)])
        _ = try client.call("session/stop", ["session_id": .string(id)])
        let conversation = String(session.text("claude_session_id").shown(40).prefix(8))
        Terminal.write(
            "\(ShortID.text(id, among: [])) is being ended; `cdev transcript \(conversation)` shows what was said in it\n"
        )
    }
}
