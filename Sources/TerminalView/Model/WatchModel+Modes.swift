import Core
import OrderedJSON

/// Notes on sessions whose mode asks less than usual: in them no card comes, and nothing else would say why.
extension WatchModel {
    /// Asks for the sessions when one makes its first call in a mode that may ask nothing.
    mutating func called(_ params: JSON) -> [WatchEffect] {
        let mode = params.text("permission_mode")
        guard !PermissionMode(mode).isUsual else { return [] }
        return callsInModes.insert(params.text("session_id") + " " + mode).inserted ? [.askSessions] : []
    }

    /// Keeps the notes of running sessions, and tells those of sessions that made calls.
    mutating func learnModes(_ sessions: [JSON]) {
        let before = modeNotes
        modeNotes = [:]
        for session in sessions where session.text("state") != "ended" && !session.text("mode_note").isEmpty {
            let id = session.text("session_id")
            modeNotes[id] =
                "session \(id.prefix(8)) in \(Card.name(of: session.text("cwd"))): \(session.text("mode_note"))"
            let hasCalled = callsInModes.contains(id + " " + session.text("permission_mode"))
            if hasCalled, toldModes.insert(id + " " + session.text("permission_mode")).inserted || before[id] == nil {
                say(modeNotes[id] ?? "")
            }
        }
    }
}
