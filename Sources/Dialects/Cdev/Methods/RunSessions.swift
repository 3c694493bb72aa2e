import Core
import OrderedJSON
import Services
import Wire

/// Sessions that the daemon runs.
struct RunSessionMethods: MethodGroup {
    let sessions: any RunSessionService
    let permissions: any PermissionService

    var methods: [Method] { [active, send, start, state, stop] }

    /// The modes that may be asked for. In the missing one the agent asks about nothing.
    private enum StartMode: String, Sendable, CaseIterable {
        case acceptEdits, auto, `default`, dontAsk, plan
    }

    /// Bytes. A picture is part of a prompt too.
    private static let longestPrompt = 10 << 20

    private var start: Method {
        Method(
            "session/start", right: .drive,
            summary: "Starts Claude Code in a workspace, or goes on in a conversation. It goes on when clients and the "
                + "daemon leave, and is ended by session/stop.",
            parameters: WorkspaceFields.id,
            .string("model", atMost: 256, "as the agent's `--model` takes it; by default the agent chooses"),
            .choice("permission_mode", of: StartMode.allCases, default: .default, "in which the agent begins"),
            .id(
                "resume_session_id",
                "the conversation to go on in, as in workspace/session/history; refused while "
                    + "another process works in it"),
            .id("session_id", "the same as `resume_session_id`"), WorkspaceFields.workspaceID,
            result: Self.session
        ) { _, id, model, mode, resumed, session, workspaceID async throws(JSONRPCError) in
            let workspace = try WorkspaceFields.one(id, workspaceID)
            let conversation = try Self.conversation(resumed ?? session)
            do throws(RunSessionFailure) {
                return Self.json(
                    try await sessions.start(
                        RunSessionOrder(
                            workspaceID: workspace, resumed: conversation, mode: PermissionMode(mode.rawValue),
                            model: model)))
            } catch {
                throw error.rpcError
            }
        }
    }

    private var send: Method {
        Method(
            "session/send", right: .drive,
            summary: "Sends a prompt to a session that session/start began, and returns at once. A session without a "
                + "process gets one first.",
            parameters: .string("mode", "not needed: a session has one conversation"),
            .required("prompt", "what to do, at most 10 MiB"),
            .id("prompt_id", "a UUID of the client's; the same one again is not run again, but says what became of it"),
            .requiredID("session_id", "as session/start returned it"),
            result: .object([
                "status": .choice(["sent", "completed", "cancelled", "failed"]).meaning(
                    "another than `sent` only for an id that was sent before"),
                "prompt_id": .string, "error": .string.meaning("why it failed").optional,
            ])
        ) { _, _, text, id, session async throws(JSONRPCError) in
            guard text.utf8.count <= Self.longestPrompt else {
                throw .invalidParams("send a \"prompt\" of at most \(Self.longestPrompt) bytes")
            }
            let prompt = SessionPrompt(id: try Self.promptID(id), blocks: [.text(text)])
            do throws(RunSessionFailure) {
                return Self.json(try await sessions.send(prompt, to: session), prompt.id)
            } catch {
                throw error.rpcError
            }
        }
    }

    private var stop: Method {
        Method(
            "session/stop", right: .drive,
            summary: "Ends a session with its process: it is asked to end, and after ten seconds killed.",
            parameters: .requiredID("session_id", "as session/start returned it"),
            result: .object(["success": .success])
        ) { _, session async throws(JSONRPCError) in
            do throws(RunSessionFailure) { try await sessions.stop(session) } catch { throw error.rpcError }
            return ["success": true]
        }
    }

    private var state: Method {
        Method(
            "session/state", right: .read,
            summary: "Shows what a session that session/start began does at this moment.",
            parameters: .requiredID("session_id", "as session/start returned it"),
            result: Self.session.with(
                .object([
                    "is_running": .boolean.meaning("it works on a turn"),
                    "waiting_for_input": .boolean.meaning("it asked something, and waits for the answer"),
                    "background_work": .boolean.meaning("a task runs behind its turns, which may be over"),
                    "pending_tool_use_id": .string.optional, "pending_tool_name": .string.optional,
                    "error": .string.meaning("why the agent did not start").optional,
                ]))
        ) { _, id async throws(JSONRPCError) in
            do throws(RunSessionFailure) {
                let session = try await sessions.session(id)
                let asked = await permissions.pending(sessionID: session.agentID).first
                return Self.json(session, asked: asked)
            } catch {
                throw error.rpcError
            }
        }
    }

    private var active: Method {
        Method(
            "session/active", right: .read,
            summary: "Lists the sessions that session/start began and that have not ended.",
            parameters: .id("workspace_id", "only those of this workspace"),
            result: .object(["sessions": .list(Self.session), "count": .count])
        ) { _, workspace in
            let found = await sessions.active(in: workspace)
            return ["sessions": .array(found.map(Self.json)), "count": .count(found.count)]
        }
    }
}

// MARK: - Values

extension RunSessionMethods {
    fileprivate static let session = Schema.object([
        "id": .string, "workspace_id": .string,
        "status": .choice(["running", "stopped", "stopping"]).meaning("prompts may be sent to one that is running"),
        "claude_state": .choice(RunPhase.allCases.map(\.claudeState)).meaning(
            "parked: it has no process until the next prompt"),
        "claude_session_id": .string.meaning("as in hook/sessions and workspace/session/history"),
        "permission_mode": .string, "model": .string.orNull, "title": .string.orNull, "started_at": .time,
        "last_active": .time,
    ])

    fileprivate static func json(_ session: RunSession) -> JSON {
        [
            "id": .string(session.id), "workspace_id": .string(session.workspaceID),
            "status": .string(session.phase.status), "claude_state": .string(session.phase.claudeState),
            "claude_session_id": .string(session.agentID), "permission_mode": .string(session.mode.spelling),
            "model": .text(session.model), "title": .text(session.title), "started_at": .time(session.startedAt),
            "last_active": .time(session.clocks.lastActivity),
        ]
    }

    fileprivate static func json(_ session: RunSession, asked: PermissionRequest?) -> JSON {
        var object = json(session).objectValue ?? [:]
        object["is_running"] = .bool(session.phase == .running)
        object["waiting_for_input"] = .bool(session.phase == .asking)
        object["background_work"] = .bool(session.hasBackgroundWork)
        if case .ended(.neverStarted(let reason)) = session.life { object["error"] = .string(reason) }
        if let asked {
            object["pending_tool_use_id"] = .string(asked.toolUseID)
            object["pending_tool_name"] = .string(asked.toolName)
        }
        return .object(object)
    }

    fileprivate static func json(_ receipt: PromptReceipt, _ id: String) -> JSON {
        switch receipt {
        case .ended(.cancelled): ["status": "cancelled", "prompt_id": .string(id)]
        case .ended(.completed): ["status": "completed", "prompt_id": .string(id)]
        case .ended(.failed(let why)): ["status": "failed", "prompt_id": .string(id), "error": .string(why.text)]
        case .queued, .sent: ["status": "sent", "prompt_id": .string(id)]
        }
    }

    /// The agent's ids are UUIDs, and one stands in its command line.
    fileprivate static func conversation(_ id: String?) throws(JSONRPCError) -> String? {
        guard let id else { return nil }
        guard isUUID(id) else {
            throw .invalidParams("\"resume_session_id\" must be a session's id, as in workspace/session/history")
        }
        return id
    }

    fileprivate static func promptID(_ id: String?) throws(JSONRPCError) -> String {
        guard let id else { return UUIDText.random() }
        guard isUUID(id) else { throw .invalidParams("\"prompt_id\" must be a UUID in lower case") }
        return id
    }

    private static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index)
                    ? byte == 0x2D : (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
    }
}

extension RunPhase {
    fileprivate var claudeState: String { self == .asking ? "waiting" : rawValue }

    fileprivate var status: String {
        switch self {
        case .asking, .idle, .parked, .running, .starting: "running"
        case .ended: "stopped"
        case .stopping: "stopping"
        }
    }
}

// MARK: - Failures

extension RunSessionFailure {
    fileprivate var rpcError: JSONRPCError {
        switch self {
        case .closing: .internalError("the daemon is being stopped; try again once it runs")
        case .noWorkspace(let id): .unknownWorkspace(id)
        case .refused(let refusal): refusal.rpcError
        }
    }
}

extension SessionRefusal {
    fileprivate var rpcError: JSONRPCError {
        switch self {
        case .alreadyRuns(let session):
            .invalidParams(
                "this conversation is run already, by the session \"\(session)\"; send your prompt there",
                data: ["session_id": .string(session)])
        case .ended, .notRunning:
            .invalidParams(
                "the session has ended; session/start with \"resume_session_id\" goes on in its conversation")
        case .otherWriter:
            .invalidParams(
                "another process works in this conversation, and two would lose what one of them wrote; watch it with "
                    + "workspace/session/watch, or end it first")
        case .stopping: .invalidParams("the session is being stopped; try again in a moment")
        case .tooManyPrompts: .internalError("as many prompts as are kept wait for this session; wait for one of them")
        case .tooManySessions(let others):
            .internalError(
                "\(others.count) sessions have a process, and no more are started; stop one of them",
                data: ["sessions": .array(others.map { .string($0) })])
        case .unknownSession: .invalidParams("session/start began no session with this id; session/active has them")
        }
    }
}
