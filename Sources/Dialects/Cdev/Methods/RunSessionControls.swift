import Core
import OrderedJSON
import Services
import Wire

/// Sessions that the daemon runs: what they ask, what they work with, and reading along.
struct RunSessionControls: MethodGroup {
    let sessions: any RunSessionService
    let permissions: any PermissionService

    var methods: [Method] { [input, interrupt, respond, set, unwatch, watch] }

    private static var session: Field<String> { .requiredID("session_id", "as session/start returned it") }

    private var interrupt: Method {
        Method(
            "session/interrupt", right: .drive,
            summary: "Stops what a session does at this moment; it takes prompts afterwards.",
            parameters: .boolean(
                "cancel_queued", default: true, "take back the prompts that wait behind it; else they run next"),
            Self.session, result: .object(["success": .success])
        ) { _, cancelsQueued, session async throws(JSONRPCError) in
            try await interrupt(session, cancelsQueued: cancelsQueued)
        }
    }

    private var input: Method {
        Method(
            "session/input", right: .drive,
            summary: "Presses the Escape key, as session/interrupt does; a session has no terminal that takes others.",
            parameters: .string("input", "a text: send it with session/send"), .required("key", "`escape`"),
            Self.session,
            result: .object(["success": .success])
        ) { _, _, key, session async throws(JSONRPCError) in
            guard key == "escape" else {
                throw .invalidParams(
                    "a session has no terminal, and takes only the key \"escape\"; send a prompt with session/send, and an "
                        + "answer with session/respond")
            }
            return try await interrupt(session, cancelsQueued: true)
        }
    }

    private func interrupt(_ session: String, cancelsQueued: Bool) async throws(JSONRPCError) -> JSON {
        try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
            try await sessions.interrupt(session, cancelsQueued: cancelsQueued)
        }
        return ["success": true]
    }

    private var set: Method {
        Method(
            "session/set", right: .drive,
            summary: "Changes what a session works with. The mode in force comes as event/claude_session_info.",
            parameters: .string(
                "effort", atMost: 64,
                "how hard the model is to think, one of its `efforts` in session/options; `default` for its own"),
            .string(
                "model", atMost: 256, "as the agent's `--model` takes it; `default` for its own choice"),
            .choice("permission_mode", of: RunSessionMethods.Mode.allCases, "in which the agent goes on"), Self.session,
            .string("title", atMost: 256, "a name of the conversation"), result: .object(["success": .success])
        ) { _, effort, model, mode, session, title async throws(JSONRPCError) in
            guard effort != nil || model != nil || mode != nil || title != nil else {
                throw .invalidParams("send \"permission_mode\", \"model\", \"effort\" or \"title\"")
            }
            if let chosen = Self.chosen(effort) { try await offers(effort: chosen, session) }
            let settings = RunSettings(
                mode: mode.map { PermissionMode($0.rawValue) }, model: model.map(Self.chosen),
                effort: effort.map(Self.chosen), title: title)
            try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await sessions.set(settings, of: session)
            }
            return ["success": true]
        }
    }

    /// `nil` for what stands for the agent's own choice.
    private static func chosen(_ value: String?) -> String? { value == "default" || value == "" ? nil : value }

    private func offers(effort: String, _ session: String) async throws(JSONRPCError) {
        let offer = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
            try await sessions.offer(of: session)
        }
        guard !offer.models.contains(where: { $0.efforts.contains(effort) }) else { return }
        throw .invalidParams("no model of this session has the effort \"\(effort)\"; see session/options")
    }

    private var watch: Method {
        Method(
            "session/watch", right: .read,
            summary: "Sends this connection what a session's agent writes while it writes it, until it watches another "
                + "one: event/claude_delta, event/claude_tool_begin. Over a WebSocket only.",
            parameters: .boolean("log", default: false, "also each line as the agent wrote it: event/claude_log"),
            Self.session,
            result: .object([
                "session_id": .string, "watching": .boolean,
                "partial": .list(
                    .object(["type": .choice(ChildDelta.Kind.allCases.map(\.rawValue)), "text": .string])
                ).meaning("what was written by now of the message that is not whole yet; what comes goes behind it"),
            ])
        ) { call, hasLog, session async throws(JSONRPCError) in
            guard call.client.isFramed else {
                throw .invalidRequest("events go to a WebSocket: connect to /ws, and watch there")
            }
            let watch = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await sessions.watch(session, hasLog: hasLog, client: call.client.id)
            }
            return [
                "session_id": .string(watch.session.id), "watching": true,
                "partial": .array(
                    watch.partial.map { ["type": .string($0.kind.rawValue), "text": .string($0.text)] }),
            ]
        }
    }

    private var unwatch: Method {
        Method(
            "session/unwatch", right: .read, summary: "Ends what session/watch began.",
            result: .object(["session_id": .string, "watching": .boolean])
        ) { call in
            ["session_id": .string(await sessions.unwatch(client: call.client.id) ?? ""), "watching": false]
        }
    }

    // MARK: - Answers

    private enum Kind: String, Sendable, CaseIterable {
        case permission, question
    }

    private var respond: Method {
        Method(
            "session/respond", right: .decide,
            summary: "Answers what a session asks at this moment, as permission/respond does: the first answer counts.",
            parameters: .object("answers", "to a question: question text to answer text"),
            .string("response", "`yes`, `no`, `allow` or `deny`; the answer to a question of type `question`"),
            Self.session,
            .id(
                "tool_use_id",
                "of the call that is answered; an allow, and an answer to a question, needs it where several are asked about, "
                    + "or another one was in the last two minutes, in which also falls a start of the daemon"),
            .choice("type", of: Kind.allCases, default: .permission, "what is answered"), result: .receipt
        ) { call, answers, response, id, toolUseID, kind async throws(JSONRPCError) in
            let request = try await asked(id, toolUseID, kind)
            let sent = try Self.response(to: request, kind, response, answers)
            let isMeant = toolUseID != nil || sent.decision != .allow
            if !isMeant, await sessions.hasAskedLately(id) {
                throw .invalidParams(
                    "the session asked something else a moment ago, which this answer may be meant for; send "
                        + "\"tool_use_id\"", data: ["tool_use_ids": [.string(request.toolUseID)]])
            }
            switch await permissions.respond([sent], by: call.caller).first {
            case .success(let receipt): return receipt.json
            case .failure(let failure): throw failure.rpcError
            case nil: throw .internalError("the answer was not taken; send it again")
            }
        }
    }

    /// Returns the request that is answered. Nobody answers a question that he did not mean: of several one has to be named.
    private func asked(_ id: String, _ toolUseID: String?, _ kind: Kind) async throws(JSONRPCError) -> PermissionRequest
    {
        let session = try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
            try await sessions.session(id)
        }
        let open = await permissions.pending(sessionID: session.agentID).filter { request in
            toolUseID.map { request.toolUseID == $0 } ?? ((kind == .question) == (request.tool.kind == .question))
        }
        guard let first = open.first else {
            throw .invalidParams(
                "the session asks nothing of this kind at the moment; session/state shows what it does")
        }
        guard open.count == 1 else {
            throw .invalidParams(
                "the session asks about \(open.count) calls; send \"tool_use_id\"",
                data: ["tool_use_ids": .array(open.map { .string($0.toolUseID) })])
        }
        return first
    }

    private static func response(
        to request: PermissionRequest, _ kind: Kind, _ response: String?, _ answers: JSONObject?
    ) throws(JSONRPCError) -> PermissionResponse {
        let target = PermissionResponse.Target.request(id: request.id)
        guard kind == .question else {
            guard let decision = response.flatMap({ decisions[$0] }) else {
                throw .invalidParams("\"response\" must be \"yes\", \"no\", \"allow\" or \"deny\"")
            }
            return PermissionResponse(target: target, decision: decision, opening: request.opening)
        }
        let given = answers ?? response.map { answer in all(request, answer) }
        guard let given else { throw .invalidParams("send \"response\", a text, or \"answers\"") }
        return PermissionResponse(
            target: target, decision: .allow, opening: request.opening, answers: .object(given))
    }

    private static let decisions = ["allow": Decision.allow, "deny": .deny, "no": .deny, "yes": .allow]

    /// One text answers each question of the call.
    private static func all(_ request: PermissionRequest, _ answer: String) -> JSONObject {
        let questions = request.tool.list(.questions, in: request.toolInput)
        return JSONObject(questions.map { (request.tool.text(.question, in: $0), .string(answer)) })
    }
}
