import Core
import OrderedJSON
import Services
import Wire

extension OpenAIRoutes {
    /// The routes that take a prompt, each in the words of its API, and refuse in them.
    var turnRoutes: [Route] {
        [
            turn(.completions, body: .chatRequest, result: .chatCompletion, .openAIError),
            turn(.messages, body: .anthropicRequest, result: .anthropicMessage, .anthropicError),
            turn(.responses, body: .responsesRequest, result: .openAIResponse, .openAIError),
        ]
    }

    private func turn(
        _ shape: ChatShape, body: @autoclosure @escaping @Sendable () -> Schema?,
        result: @autoclosure @escaping @Sendable () -> Schema,
        _ failure: @autoclosure @escaping @Sendable () -> Schema
    ) -> Route {
        Route(
            ["POST"], .exact(shape.path), for: .caller, takesJSONOnly: true,
            work: .request { request, sender, pending in
                if let refusal = refusal(of: request, sender, .drive) { return .now(shape.response(refusal)) }
                let call = ChatCall(request, sender)
                let permit = services.devices.permit(of: sender.caller)
                return .later {
                    await CallPermit.$current.withValue(permit) {
                        await completions.answer(call, in: shape, via: pending)
                    }
                }
            }
        )
        .described(
            "Sends a prompt to a session, and answers with what its agent writes: as server-sent events with `stream`.",
            body: body(), result: result()
        )
        .refusing(as: shape.spelled, failure())
    }

    var chatRoutes: [Route] { [status, cancel, debug] }

    private static let path = ChatShape.completions.path

    private var status: Route {
        route(Route.reading, .below("\(Self.path)/", tail: "/status"), .read) { asked async throws(OpenAIFailure) in
            let session = try await found(asked.name)
            return await statusOf(session)
        }
        .described("What a session does, and what it came to.", result: .chatStatus)
    }

    private var cancel: Route {
        route(["DELETE"], .below("\(Self.path)/"), .drive) { asked async throws(OpenAIFailure) in
            let session = try await found(asked.name)
            try await stop(session)
            return ["session_id": .string(session.id), "status": "cancelled", "deleted": true]
        }
        .described("Stops the turn of a session, and takes back the prompts that wait.", result: .chatCancelled)
    }

    /// Stops the turn. Prompts that no process has got yet are taken back one by one: there is no turn to stop.
    private func stop(_ session: RunSession) async throws(OpenAIFailure) {
        try await OpenAIFailure.answering { () async throws(RunSessionFailure) in
            for prompt in session.prompts where prompt.state == .queued {
                _ = try await services.runs.cancel(prompt.id, of: session.id)
            }
            guard [.asking, .idle, .running].contains(session.phase) else {
                // An earlier call may have taken prompts back, and not have written it.
                return try await services.runs.confirm(session.id)
            }
            try await services.runs.interrupt(session.id, cancelsQueued: true)
        }
    }

    private var debug: Route {
        route(["POST"], .exact("\(Self.path)/debug"), .read, takesJSONOnly: true) { asked async throws(OpenAIFailure) in
            let (body, request) = try await services.read(asked.body) { body throws(OpenAIFailure) in
                (body, try ChatShape.completions.read(body))
            }
            return ["ok": true, "request": .object(body), "read_as": request.readAs]
        }
        .described("Shows how a request for a completion would be read; nothing is run.", result: .chatDebug)
    }

    func found(_ id: String) async throws(OpenAIFailure) -> RunSession {
        try await OpenAIFailure.answering { () async throws(RunSessionFailure) in try await services.runs.session(id) }
    }

    private func statusOf(_ session: RunSession) async -> JSON {
        let totals = await services.runs.totals(of: session.id)
        let cost = await services.runs.lastTurn(of: session.id)?.cost ?? 0
        return [
            "session_id": .string(session.id), "project_id": .string(session.workspaceID),
            "model": .string(session.model ?? ChatModel.plain),
            "is_running": .bool(session.phase.isRunning),
            "state": .string(session.phase.rawValue), "created_at": .time(session.startedAt),
            "updated_at": .time(session.clocks.lastActivity), "total_tokens": .count(totals.tokens),
            "total_cost": JSONNumber(cost).map(JSON.number) ?? 0, "message_count": .count(totals.messages),
        ]
    }
}

extension ChatRequest {
    fileprivate var readAs: JSON {
        [
            "model": .text(model.model), "project": .text(project ?? model.workspace), "session_id": .text(session),
            "stream": .bool(isStreamed), "prompt_bytes": .count(messages.prompt.reduce(0) { $0 + $1.size }),
            "past_messages": .count(messages.past.count), "instructions": .count(instructions.count),
            "ignored": .array(ignored.map(JSON.string)),
        ]
    }
}
