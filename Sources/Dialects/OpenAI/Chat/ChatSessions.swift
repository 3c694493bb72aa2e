import Core
import OrderedJSON
import Platform
import Services

/// Finds or begins the session that a request is meant for.
struct ChatSessions: Sendable {
    let services: OpenAIServices
    /// Instructions for sessions that have not had their first prompt, by session.
    private let instructions = Locked<[String: String]>([:])

    private let histories = ChatHistories()

    /// Bytes of instructions that are kept for the first prompt of a session.
    static let longestInstructions = 64 << 10
    private static let mostInstructions = 200

    init(services: OpenAIServices) {
        self.services = services
    }

    private var runs: any RunSessionService { services.runs }

    /// Returns the session, begun where there is none.
    func session(for request: ChatRequest, _ call: ChatCall) async throws(OpenAIFailure) -> RunSession {
        if let id = request.session { return try await known(id, request) }
        let workspace = try await workspace(request.project, request.model)
        guard let chat = call.chat else {
            if let known = await goingOn(ChatHistory(request, call, workspace: workspace.id)) { return known }
            return try await begin(request, in: workspace, conversation: nil)
        }
        let names = [call.owner, chat, workspace.id].map { "\($0.utf8.count):\($0)" }.joined()
        let conversation = UUIDText.derived(from: services.sha256(Array("chat:\(names)".utf8)))
        if let known = try? await runs.session(conversation), known.phase != .ended { return known }
        return try await begin(request, in: workspace, conversation: conversation)
    }

    /// The idle session whose conversation the request goes on with: the only one that had these messages, and has had
    /// nothing since. A wrong one would be worse than a new one.
    private func goingOn(_ history: ChatHistory) async -> RunSession? {
        guard let place = history.past(services.sha256).flatMap(histories.place),
            let session = try? await runs.session(place.session), session.phase == .idle, session.prompts.isEmpty,
            await self.place(of: session) == place
        else { return nil }
        return session
    }

    private func place(of session: RunSession) async -> ChatHistories.Place {
        ChatHistories.Place(session, messages: await runs.totals(of: session.id).messages)
    }

    /// Returns what notes the answer of a turn, so that the next request is known by it; `nil` where the session has had
    /// more than the request tells of, and for a chat that is known by its name.
    func remembering(
        _ request: ChatRequest, _ call: ChatCall, in session: RunSession
    ) async -> (@Sendable (_ answer: String) async -> Void)? {
        guard call.chat == nil else { return nil }
        let history = ChatHistory(request, call, workspace: session.workspaceID)
        if session.hasConversation {
            guard await goingOn(history)?.id == session.id else { return nil }
        }
        return { answer in
            guard let digest = history.whole(answer: answer, services.sha256),
                let now = try? await runs.session(session.id)
            else { return }
            histories.note(await place(of: now), of: digest)
        }
    }

    /// A session by its id. A client that names another workspace would believe to work there.
    private func known(_ id: String, _ request: ChatRequest) async throws(OpenAIFailure) -> RunSession {
        let session: RunSession
        do throws(RunSessionFailure) { session = try await runs.session(id) } catch {
            if case .refused(.unknownSession, _) = error { throw request.unknownSession }
            throw OpenAIFailure(error)
        }
        guard session.phase != .ended else { throw request.unknownSession }
        guard request.project != nil || request.model.workspace != nil else { return session }
        guard try await workspace(request.project, request.model).id == session.workspaceID else {
            throw .invalid(
                "the session is in the project \(session.workspaceID); leave \"project_id\" out, or the session's id",
                param: "project_id")
        }
        return session
    }

    /// Begins a session, or goes on in the conversation of one that has ended.
    private func begin(
        _ request: ChatRequest, in workspace: Workspace, conversation: String?
    ) async throws(OpenAIFailure) -> RunSession {
        var order = RunSessionOrder(workspaceID: workspace.id, model: request.model.model, conversation: conversation)
        if let conversation, let view = try? await services.workspaces.view(of: workspace.id),
            view.historical.contains(where: { $0.id == conversation })
        {
            order.resumed = conversation
        }
        return try await start(order)
    }

    func start(_ order: RunSessionOrder) async throws(OpenAIFailure) -> RunSession {
        if let model = order.model { try await checkModel(model) }
        return try await OpenAIFailure.answering { () async throws(RunSessionFailure) in try await runs.start(order) }
    }

    /// Refuses a model of another provider: the agent would only find that out in the middle of the turn.
    func checkModel(_ name: String) async throws(OpenAIFailure) {
        let offer = try? await runs.offer(of: nil)
        guard name.hasPrefix("claude") || offer?.models.contains(where: { $0.value == name }) == true else {
            throw OpenAIFailure(
                .notFound, "model_not_found", "there is no model \"\(name)\"; GET /v1/models", param: "model")
        }
    }

    /// - Parameter project: Takes precedence over the workspace that the model names.
    func workspace(_ project: String?, _ model: ChatModel) async throws(OpenAIFailure) -> Workspace {
        if let project {
            guard let found = await services.workspaces.workspace(project) else {
                throw .notFound("Project not found; GET /v1/projects has them", param: "project_id")
            }
            return found
        }
        let all = await services.workspaces.workspaces(gitLimit: 0).map(\.workspace)
        if let name = model.workspace {
            let found = all.first { $0.id == name } ?? all.only { $0.name == name }
            guard let found else {
                throw OpenAIFailure(
                    .notFound, "model_not_found", "there is no single project \"\(name)\"; GET /v1/models",
                    param: "model")
            }
            return found
        }
        guard let only = all.only(where: { _ in true }) else {
            throw .invalid(
                "say where: \"project_id\", as in GET /v1/projects, or the model \(ChatModel.prefix)PROJECT",
                param: "project_id")
        }
        return only
    }

    // MARK: Instructions

    /// Keeps instructions for the first prompt of a session that was begun without one.
    func keep(_ text: String, for session: String) {
        instructions.withLock { kept in
            if kept.count >= Self.mostInstructions, let other = kept.keys.first { kept[other] = nil }
            kept[session] = text
        }
    }

    /// The blocks of a prompt: a session that has had one is given only what is new.
    func blocks(_ request: ChatRequest, for session: RunSession) -> [PromptBlock] {
        guard !session.hasConversation else { return request.messages.prompt }
        let kept = instructions.withLock { $0.removeValue(forKey: session.id) }
        return FirstPrompt.blocks(request.messages, instructions: (kept.map { [$0] } ?? []) + request.instructions)
    }
}

extension Array {
    /// The one element that is meant; `nil` where none is, or several are.
    fileprivate func only(where isMeant: (Element) -> Bool) -> Element? {
        let found = filter(isMeant)
        return found.count == 1 ? found[0] : nil
    }
}
