import Core
import OrderedJSON

/// Notes on sessions that make calls in a mode that asks nothing: no request comes of them, and nothing else would say
/// why.
struct ModeNotes {
    /// Sessions with their modes about which the daemon was asked.
    private var asked: Set<String> = []

    /// A sentence at a session's first call in such a mode; `nil` at all others.
    mutating func note(on call: JSON, _ client: DaemonClient) -> String? {
        let mode = call.text("permission_mode")
        let id = call.text("session_id")
        guard !PermissionMode(mode).isUsual, asked.insert(id + " " + mode).inserted,
            let sessions = try? client.call("hook/sessions").list("sessions"),
            let session = sessions.first(where: { $0.text("session_id") == id }), session.text("state") != "ended",
            !session.text("mode_note").isEmpty
        else { return nil }
        let short = String(SessionChoice.ownID(session).shown(40).prefix(8))
        return "session \(short) in \(session.text("cwd").shown(200)): \(session.text("mode_note").shown(300)); "
            + "to be asked there: \(Self.remedy(session, short))"
    }

    /// The way to be asked in such a session. In bypassPermissions no gate makes the daemon ask.
    static func remedy(_ session: JSON, _ id: String) -> String {
        let isFree = PermissionMode(session.text("permission_mode")) == .bypassPermissions
        return isFree ? "leave this mode in Claude Code" : "cdev gate \(id) always"
    }
}
