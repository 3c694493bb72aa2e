import Core
import OrderedJSON

/// A session that the daemon runs, as clients see it.
enum RunSessionBody {
    static let schema = Schema.object([
        "id": .string, "workspace_id": .string,
        "status": .choice(["running", "stopped", "stopping"]).meaning("prompts may be sent to one that is running"),
        "claude_state": .choice(RunPhase.allCases.map(\.claudeState)).meaning(
            "parked: it has no process until the next prompt"),
        "claude_session_id": .string.meaning("as in hook/sessions and workspace/session/history"),
        "permission_mode": .string, "model": .string.orNull, "effort": .string.orNull,
        "title": .string.orNull,
        "project_settings": .choice(ProjectSettings.allCases.map(\.rawValue)).orNull.meaning(
            "ignored: nobody trusted the directory, so the project's own settings, hooks and servers do not count; null "
                + "until the process has started"),
        "started_at": .time, "last_active": .time,
    ])

    static func listing(_ session: RunSession) -> JSONObject {
        [
            "id": .string(session.id), "workspace_id": .string(session.workspaceID),
            "status": .string(session.phase.status), "claude_state": .string(session.phase.claudeState),
            "claude_session_id": .string(session.agentID), "permission_mode": .string(session.mode.spelling),
            "model": .text(session.model), "effort": .text(session.effort), "title": .text(session.title),
            "project_settings": .text(session.projectSettings?.rawValue),
            "started_at": .time(session.startedAt), "last_active": .time(session.clocks.lastActivity),
        ]
    }

    static let workSchema = Schema.object([
        "is_running": .boolean.meaning("it works on a turn"),
        "waiting_for_input": .boolean.meaning("it asked something, and waits for the answer"),
        "background_work": .boolean.meaning("a task runs behind its turns, which may be over"),
        "prompts": .list(
            .object([
                "prompt_id": .string,
                "state": .choice(SessionPrompt.State.allCases.map(\.rawValue)).meaning(
                    "queued: not given to the agent yet; sent: given, and not taken up"),
            ])
        ).meaning("those that have not ended, in their order"),
        "error": .string.meaning("why the agent did not start").optional,
    ])

    static let figuresSchema = Schema.object([
        "total_cost_usd": .number.orNull.meaning("of the conversation; 0 after `/clear`"),
        "context_tokens": .integer.orNull.meaning("those that fill the model's context after the last turn"),
        "context_window": .integer.orNull.meaning("those that the context takes"),
    ])

    /// Returns the members that say what the last turn came to; null where nothing is known of one.
    static func figures(_ turn: TurnEnd?) -> JSONObject {
        [
            "total_cost_usd": turn?.cost.flatMap { JSONNumber($0) }.map(JSON.number) ?? .null,
            "context_tokens": turn?.context.map { .count($0.tokens) } ?? .null,
            "context_window": turn?.context?.window.map { .count($0) } ?? .null,
        ]
    }

    /// Returns the members that say what the session works on.
    static func work(_ session: RunSession) -> JSONObject {
        var members: JSONObject = [
            "is_running": .bool(session.phase == .running), "waiting_for_input": .bool(session.phase == .asking),
            "background_work": .bool(session.hasBackgroundWork),
            "prompts": .array(
                session.prompts.map { ["prompt_id": .string($0.id), "state": .string($0.state.rawValue)] }),
        ]
        if case .ended(.neverStarted(let reason)) = session.life { members["error"] = .string(reason) }
        return members
    }
}

extension RunPhase {
    var claudeState: String { self == .asking ? "waiting" : rawValue }

    fileprivate var status: String {
        switch self {
        case .asking, .idle, .parked, .running, .starting: return "running"
        case .ended: return "stopped"
        case .stopping: return "stopping"
        }
    }
}
