import Core
import Services
import Wire

/// Answers what a front end asks for itself, such as a title for a chat. An agent is none for that: a session would be
/// begun for each title, with tools. So the model alone answers, or nobody, as configured.
struct ChatErrands: Sendable {
    let services: OpenAIServices
    let sessions: ChatSessions

    func answer(
        _ errand: String, _ request: ChatRequest, in shape: ChatShape, via pending: any PendingResponse
    ) async throws(OpenAIFailure) -> HTTPResponse {
        guard let completions = services.completions else {
            throw .invalid(
                "an agent runs no errands such as \"\(errand.prefix(80))\": give them to a plain model, or let the model "
                    + "alone answer them with `cdev config set chat_errands answer`")
        }
        if let model = request.model.model { try await sessions.checkModel(model) }
        let reply = ChatReply(
            prompt: UUIDText.random(), session: nil, model: request.model.name,
            created: services.clock.now().wall.milliseconds / 1000, costBefore: 0)
        let writer = shape.writer(reply, request)
        if request.isStreamed { return streamed(request, completions, writer, pending) }
        let end = await end(request, completions)
        if let failure = end.failure { return shape.response(failure) }
        return .json(writer.whole(end.text(behind: ""), end))
    }

    private func streamed(
        _ request: ChatRequest, _ completions: any PlainCompletions, _ writer: any ReplyWriter,
        _ pending: any PendingResponse
    ) -> HTTPResponse {
        pending.stream { content in
            var writer = writer
            _ = await content.write(writer.begin())
            let end = await end(request, completions)
            let text = end.text(behind: "")
            if end.failure == nil { _ = await content.write(writer.add(text)) }
            _ = await content.write(writer.end(end, behind: text))
        }
        return .serverSentEvents
    }

    private func end(_ request: ChatRequest, _ completions: any PlainCompletions) async -> ChatEnd {
        let blocks = FirstPrompt.blocks(request.messages, instructions: request.instructions)
        do throws(ChildFailure) {
            let turn = try await completions.complete(MessageContent.text(of: blocks), model: request.model.model)
            return ChatEnd(.completed, turn)
        } catch {
            return ChatEnd(failure: .server("errand_failed", error.reason))
        }
    }
}
