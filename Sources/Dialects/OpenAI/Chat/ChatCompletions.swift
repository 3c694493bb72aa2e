import Core
import OrderedJSON
import Platform
import Services
import Wire

/// Sends a prompt to a session, and answers with what its agent writes, in the words of the API that it was asked in.
struct ChatCompletions: Sendable {
    let services: OpenAIServices
    let sessions: ChatSessions
    private let sent: SentRequests
    /// Sessions with a request that waits.
    private let busy = Locked<Set<String>>([])

    /// Seconds after the start of the daemon in which a repeated request may be one that the last daemon took.
    private static let restartSeconds: Double = 120

    init(services: OpenAIServices, sessions: ChatSessions) {
        self.services = services
        self.sessions = sessions
        sent = SentRequests(sha256: services.sha256)
    }

    func answer(_ call: ChatCall, in shape: ChatShape, via pending: any PendingResponse) async -> HTTPResponse {
        do throws(OpenAIFailure) {
            let request = try await services.read(call.body, shape.read)
            if let errand = call.errand {
                return try await ChatErrands(services: services, sessions: sessions)
                    .answer(errand, request, in: shape, via: pending)
            }
            try refuseSecond(call, request)
            let turn = try await begin(request, call, in: shape)
            return request.isStreamed ? turn.streamed(pending) : await turn.whole(pending)
        } catch {
            return shape.response(error)
        }
    }

    /// A turn never runs twice because a client, or a front end, asks again by itself.
    private func refuseSecond(_ call: ChatCall, _ request: ChatRequest) throws(OpenAIFailure) {
        if let session = sent.session(of: call) {
            throw .conflict(
                "already_sent", "this request was taken before, in the session \(session), and is not run again")
        }
        let mayBeOfTheLast = services.clock.uptime.seconds(since: services.startedAt) < Self.restartSeconds
        if call.isRepeated, mayBeOfTheLast, request.session == nil, call.chat == nil {
            throw .conflict(
                "may_have_run",
                "the daemon was started anew, and the one before may have taken this request; send it again")
        }
    }

    private func begin(
        _ request: ChatRequest, _ call: ChatCall, in shape: ChatShape
    ) async throws(OpenAIFailure) -> ChatTurn {
        let session = try await sessions.session(for: request, call)
        guard busy.withLock({ $0.insert(session.id).inserted }) else { throw .busy }
        let release: @Sendable () -> Void = { [busy] in busy.withLock { _ = $0.remove(session.id) } }
        do throws(OpenAIFailure) {
            return try await send(request, call, in: shape, to: session.id, release)
        } catch {
            release()
            throw error
        }
    }

    private func send(
        _ request: ChatRequest, _ call: ChatCall, in shape: ChatShape, to id: String,
        _ release: @escaping @Sendable () -> Void
    ) async throws(OpenAIFailure) -> ChatTurn {
        let runs = services.runs
        let session = try await OpenAIFailure.answering { () async throws(RunSessionFailure) in
            try await runs.session(id)
        }
        guard session.takesPrompt else { throw session.phase == .ended ? .endedSession : .busy }
        let prompt = SessionPrompt(
            id: UUIDText.random(), blocks: sessions.blocks(request, for: session), sender: call.caller.deviceID)
        let listener = ChatListener(
            number: call.connection, caller: call.caller, session: session.id, prompt: prompt.id)
        let remember = await sessions.remembering(request, call, in: session)
        let before = session.hasConversation ? await runs.lastTurn(of: session.id)?.cost : 0
        services.subscribers.add(listener)
        do throws(OpenAIFailure) {
            guard call.caller.deviceID.map(services.devices.admits) ?? true else {
                throw OpenAIFailure(.unauthorized, "unauthorized", "this device was revoked")
            }
            try await OpenAIFailure.answering { () async throws(RunSessionFailure) in
                _ = try await runs.watch(session.id, hasLog: false, client: listener.id)
                _ = try await runs.send(prompt, to: session.id)
            }
        } catch {
            services.subscribers.remove(listener)
            _ = await runs.unwatch(client: listener.id)
            // It was found above.
            throw error.status == .notFound ? .endedSession : error
        }
        sent.note(call, session: session.id)
        let reply = ChatReply(
            prompt: prompt.id, session: session, model: request.model.name,
            created: services.clock.now().wall.milliseconds / 1000, costBefore: before)
        return ChatTurn(
            services: services, session: session.id, listener: listener, shape: shape, reply: reply,
            writer: shape.writer(reply, request),
            linksCards: request.linksCards, remember: remember, release: release)
    }
}

extension OpenAIFailure {
    /// The failure of a session that ended between its choice and its prompt, such as one whose agent cannot be started.
    fileprivate static let endedSession = server("agent_ended", "the agent ended before it took the prompt")
}

extension RunSession {
    /// True if a prompt would begin a turn of its own. A prompt that arrives in the middle of a turn becomes part of it,
    /// and its answer could not be told from the other's.
    fileprivate var takesPrompt: Bool { [.idle, .parked, .starting].contains(phase) && prompts.isEmpty }
}

extension OpenAIServices {
    /// Reads a body, a large one beside the loop.
    func read<Value: Sendable>(
        _ bytes: [UInt8], _ make: @escaping @Sendable (JSONObject) throws(OpenAIFailure) -> Value
    ) async throws(OpenAIFailure) -> Value {
        try await bodies.read(bytes) { bytes throws(OpenAIFailure) in
            guard let object = (try? JSON(parsing: bytes))?.objectValue else { throw .invalid("send a JSON object") }
            return try make(object)
        }
    }
}
