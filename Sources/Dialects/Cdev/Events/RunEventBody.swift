import Core
import OrderedJSON

/// Events of sessions that the daemon runs. `session_id` is the daemon's id for one, `claude_session_id` that of the
/// agent's conversation.
enum RunEventBody {
    static func params(of event: RunEvent) -> JSONObject {
        switch event {
        case .asked(let request): asked(request)
        case .call(let call, let agentID):
            [
                "tool_use_id": .id(call.id), "tool_name": .string(call.tool.name), "title": .string(call.tool.title),
                "claude_session_id": .id(agentID),
            ]
        case .changed(let session): status(session)
        case .childEnded(let session), .childReady(let session): RunSessionBody.listing(session)
        case .delta(let delta, let agentID):
            ["type": .string(delta.kind.rawValue), "text": .string(delta.text), "claude_session_id": .id(agentID)]
        case .info(let session):
            [
                "claude_session_id": .id(session.agentID), "model": .text(session.model),
                "effort": .text(session.effort),
                "permission_mode": .string(session.mode.spelling),
            ]
        case .line(let line): self.line(line.value)
        case .message(let message, let agentID): self.message(message, agentID)
        case .promptEnd(let prompt, let end, let agentID): promptEnd(prompt, end, agentID)
        case .retry(let session, let attempt, let most): retry(session, attempt, most)
        case .stopped(let session): stopped(session)
        case .tasks(let session):
            [
                "claude_session_id": .id(session.agentID),
                "tasks": .array(session.tasks.sorted().map(JSON.string)), "count": .count(session.tasks.count),
            ]
        case .turnEnd(let end, let agentID):
            turnEnd(end, agentID)
        }
    }

    private static func turnEnd(_ end: TurnEnd, _ agentID: String) -> JSONObject {
        var params: JSONObject = [
            "claude_session_id": .id(agentID), "reason": .string(end.reason), "is_error": .bool(end.isError),
            "text": .string(end.text),
        ]
        for (key, value) in RunSessionBody.figures(end) { params[key] = value }
        return params
    }

    private static func promptEnd(_ prompt: String, _ end: PromptEnd, _ agentID: String) -> JSONObject {
        var params = promptEnd(prompt, end)
        params["claude_session_id"] = .id(agentID)
        return params
    }

    /// The end of a prompt, as its sender is told it.
    static func promptEnd(_ prompt: String, _ end: PromptEnd) -> JSONObject {
        switch end {
        case .cancelled: ["status": "cancelled", "prompt_id": .string(prompt)]
        case .completed: ["status": "completed", "prompt_id": .string(prompt)]
        case .failed(let why): ["status": "failed", "prompt_id": .string(prompt), "error": .string(why.text)]
        }
    }

    private static func asked(_ request: PermissionRequest) -> JSONObject {
        let input = request.toolInput
        let shown = CardText(tool: request.tool, input: input)
        return [
            "claude_session_id": .id(request.sessionID), "request_id": .string(request.id),
            "tool_use_id": .id(request.toolUseID), "tool_name": .string(request.toolName),
            "input": .string(input.serialized()),
            "description": .string(
                HiddenCharacters.escaped(shown.description)),
        ]
    }

    /// `state` is one of three, for clients that know no others.
    private static func status(_ session: RunSession) -> JSONObject {
        var params = RunSessionBody.listing(session)
        let isFailed = if case .ended(.neverStarted) = session.life { true } else { false }
        params["state"] = isFailed ? "error" : [.idle, .parked, .ended].contains(session.phase) ? "idle" : "running"
        for (key, value) in RunSessionBody.work(session) { params[key] = value }
        return params
    }

    private static func retry(_ session: RunSession, _ attempt: Int, _ most: Int) -> JSONObject {
        var params = status(session)
        params["retry"] = ["attempt": .count(attempt), "of": .count(most)]
        return params
    }

    private static func stopped(_ session: RunSession) -> JSONObject {
        var params = RunSessionBody.listing(session)
        if case .ended(let end) = session.life { params["reason"] = .string(end.words) }
        return params
    }

    private static func message(_ message: TranscriptMessage, _ agentID: String) -> JSONObject {
        var params = TranscriptBody.event(message)
        // The agent numbers it only in the transcript.
        params["id"] = nil
        params["claude_session_id"] = .id(agentID)
        return params
    }

    /// The line's own members; ours come in place of those with the same names.
    private static func line(_ line: JSON) -> JSONObject {
        var params = line.objectValue ?? ["value": line]
        params["claude_session_id"] = line["session_id"] ?? ""
        return params
    }
}

extension RunEnd {
    /// Says why a session has ended, for people.
    var words: String {
        switch self {
        case .forgotten: "it was parked, and newer ones came"
        case .intruded: "something else than cdev wrote to its agent"
        case .neverStarted(let reason): reason
        case .outputTooLong: "it wrote more than is kept"
        case .stopped: "somebody ended it"
        }
    }
}

extension Schema {
    private static let conversation = object([
        "session_id": .string.meaning("the daemon's id of the session"), "workspace_id": .string, "timestamp": .time,
        "claude_session_id": .string.meaning("the agent's id of the conversation"),
        "truncated": .truncated.optional,
    ])

    static let runAsked = object([
        "request_id": .string.meaning("as in event/pty_permission, which comes beside"), "tool_use_id": .string,
        "tool_name": .string, "input": .string.meaning("as JSON text"), "description": .string,
    ]).with(conversation)

    static let runCall = object([
        "tool_use_id": .string, "tool_name": .string, "title": .string.meaning("the tool's name for people"),
    ]).with(conversation)

    static let runChild = RunSessionBody.schema.with(
        object([
            "session_id": .string.meaning("the same as `id`"), "timestamp": .time, "truncated": .truncated.optional,
        ]))

    static let runDelta = object(["type": choice(ChildDelta.Kind.allCases.map(\.rawValue)), "text": .string])
        .with(conversation)

    static let runInfo = object(["model": .string.orNull, "effort": .string.orNull, "permission_mode": .string]).with(
        conversation)

    static let runLine = conversation.setting("additionalProperties", true)

    static let runPromptEnd = object([
        "status": choice(["cancelled", "completed", "failed"]),
        "prompt_id": .string.meaning("as session/send returned it"),
        "error": .string.optional.meaning("why nobody knows what became of it"),
    ]).with(conversation)

    static let runStatus = runChild.with(RunSessionBody.workSchema).with(
        object([
            "state": choice(["running", "idle", "error"]),
            "retry": object(["attempt": .count, "of": .count]).optional.meaning(
                "the model's provider failed, and is asked again"),
        ]))

    static let runStopped = runChild.with(object(["reason": .string.meaning("a sentence")]))

    static let runTasks = object(["tasks": .list(.string), "count": .count]).with(conversation)

    static let runUsage = object([
        "reason": .string.meaning("how the turn ended, in the agent's word"), "is_error": .boolean,
        "text": .string.meaning("the last text, or what went wrong"),
    ]).with(RunSessionBody.figuresSchema).with(conversation)
}
