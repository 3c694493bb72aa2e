import Core
import OrderedJSON
import Services
import Wire

/// Sessions that the daemon runs: their beginning, their prompts and their end.
struct RunSessionMethods: MethodGroup {
    let sessions: any RunSessionService
    let permissions: any PermissionService

    var methods: [Method] { ([active, send, start, stop] + state).sorted { $0.name < $1.name } }

    /// In the last one the agent asks about nothing.
    enum Mode: String, Sendable, CaseIterable {
        case acceptEdits, auto, `default`, dontAsk, plan, bypassPermissions
    }

    private var start: Method {
        Method(
            "session/start", right: .drive,
            summary: "Starts Claude Code in a workspace, or goes on in a conversation. It goes on when clients and the "
                + "daemon leave, and is ended by session/stop.",
            parameters: .boolean(
                "fork", default: false,
                "with `resume_session_id`: begin a new conversation with the messages of that one, which stays as it is"
            ),
            WorkspaceFields.id,
            .string("model", atMost: 256, "as the agent's `--model` takes it; by default the agent chooses"),
            .choice(
                "permission_mode", of: Mode.allCases, default: .default,
                "in which the agent begins; `bypassPermissions` only where `allow_bypass` is set"),
            RunPrompt.field("the first prompt; at most 10 MiB, over a WebSocket 2"), RunPrompt.id,
            .id(
                "resume_session_id",
                "the conversation to go on in, as in workspace/session/history; refused while "
                    + "another process works in it"),
            .id("session_id", "the same as `resume_session_id`"), WorkspaceFields.workspaceID,
            result: RunSessionBody.schema
        ) { call, isFork, id, model, mode, prompt, promptID, resumed, session, workspaceID async throws(JSONRPCError) in
            let workspace = try WorkspaceFields.one(id, workspaceID)
            let conversation = try Self.conversation(resumed ?? session)
            guard !isFork || conversation != nil else {
                throw .invalidParams("\"fork\" needs \"resume_session_id\", the conversation to copy")
            }
            let order = RunSessionOrder(
                workspaceID: workspace, resumed: conversation, isFork: isFork, mode: PermissionMode(mode.rawValue),
                model: model,
                prompt: prompt.map { SessionPrompt(id: promptID, blocks: $0, sender: call.caller.deviceID) })
            let session = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await sessions.start(order)
            }
            return .object(RunSessionBody.listing(session))
        }
    }

    private var send: Method {
        Method(
            "session/send", right: .drive,
            summary: "Sends a prompt to a session that session/start began, and returns at once. A session without a "
                + "process gets one first.",
            parameters: .string("mode", "not needed: a session has one conversation"),
            RunPrompt.field("what to do: a text, or a list of blocks; at most 10 MiB, over a WebSocket 2")
                .requiredBySchema, RunPrompt.id,
            .requiredID("session_id", "as session/start returned it"),
            result: .object([
                "status": .choice(["sent", "completed", "cancelled", "failed"]).meaning(
                    "another than `sent` only for an id that was sent before"),
                "prompt_id": .string, "error": .string.meaning("why it failed").optional,
            ])
        ) { call, _, blocks, id, session async throws(JSONRPCError) in
            guard let blocks else { throw .invalidParams("\"prompt\" is required: a text, or a list of blocks") }
            let prompt = SessionPrompt(id: id, blocks: blocks, sender: call.caller.deviceID)
            let receipt = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await sessions.send(prompt, to: session)
            }
            return Self.json(receipt, id)
        }
    }

    private var stop: Method {
        Method(
            "session/stop", right: .drive,
            summary: "Ends a session with its process: it is asked to end, and after ten seconds killed.",
            parameters: .requiredID("session_id", "as session/start returned it"),
            result: .object(["success": .success])
        ) { _, session async throws(JSONRPCError) in
            try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await sessions.stop(session)
            }
            return ["success": true]
        }
    }

    private var state: [Method] {
        Method.named(["session/info", "session/state"]) { name in
            Method(
                name, right: .read, summary: "Shows what a session that session/start began does at this moment.",
                parameters: .requiredID("session_id", "as session/start returned it"),
                result: RunSessionBody.schema.with(RunSessionBody.workSchema).with(RunSessionBody.figuresSchema).with(
                    .object(["pending_tool_use_id": .string.optional, "pending_tool_name": .string.optional]))
            ) { _, id async throws(JSONRPCError) in
                let session = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                    try await sessions.session(id)
                }
                let asked = await permissions.pending(sessionID: session.agentID).first
                return Self.json(session, await sessions.lastTurn(of: id), asked: asked)
            }
        }
    }

    private var active: Method {
        Method(
            "session/active", right: .read,
            summary: "Lists the sessions that session/start began and that have not ended.",
            parameters: .id("workspace_id", "only those of this workspace"),
            result: .object(["sessions": .list(RunSessionBody.schema), "count": .count])
        ) { _, workspace in
            let found = await sessions.active(in: workspace)
            return [
                "sessions": .array(found.map { .object(RunSessionBody.listing($0)) }), "count": .count(found.count),
            ]
        }
    }
}

// MARK: - Values

extension RunSessionMethods {
    private static func json(_ session: RunSession, _ turn: TurnEnd?, asked: PermissionRequest?) -> JSON {
        var object = RunSessionBody.listing(session)
        for (key, value) in RunSessionBody.work(session) { object[key] = value }
        for (key, value) in RunSessionBody.figures(turn) { object[key] = value }
        if let asked {
            object["pending_tool_use_id"] = .string(asked.toolUseID)
            object["pending_tool_name"] = .string(asked.toolName)
        }
        return .object(object)
    }

    private static func json(_ receipt: PromptReceipt, _ id: String) -> JSON {
        switch receipt {
        case .ended(let end): .object(RunEventBody.promptEnd(id, end))
        case .queued, .sent: ["status": "sent", "prompt_id": .string(id)]
        }
    }

    /// The agent's ids are UUIDs, and one stands in its command line.
    private static func conversation(_ id: String?) throws(JSONRPCError) -> String? {
        guard let id else { return nil }
        guard UUIDText.isOne(id) else {
            throw .invalidParams("\"resume_session_id\" must be a session's id, as in workspace/session/history")
        }
        return id
    }
}
