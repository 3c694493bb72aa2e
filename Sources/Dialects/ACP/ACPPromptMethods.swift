import Core
import OrderedJSON
import Services
import Text
import Wire

/// Prompts, and their end before its time.
struct ACPPromptMethods: MethodGroup {
    let parts: ACPServices.Parts

    var methods: [Method] { [cancel, cancelRequest, prompt] }

    private var prompt: Method {
        Method(
            "session/prompt", right: .drive, scheduling: .beside(limit: 64),
            summary: "Sends a prompt, and answers once all that it led to is done.",
            parameters: ACPPrompt.field, ACPFields.session, result: .anyObject
        ) { call, blocks, id async throws(JSONRPCError) in
            let session = try ACPFields.open(id, for: call)
            let prompt = SessionPrompt(id: UUIDText.random(), blocks: blocks, sender: call.caller.deviceID)
            switch session.expect(prompt.id, by: call.id) {
            case .cancelled: return ["stopReason": "cancelled"]
            case .expected: break
            case .takenBack: throw ACPFields.cancelled
            }
            defer { session.forget(prompt.id) }
            let receipt = try await ACPFields.answering(for: id) { () async throws(RunSessionFailure) in
                try await parts.sessions.send(prompt, to: session.runID)
            }
            if session.isStillToStop(prompt.id) { await stop(prompt.id, of: session) }
            let end = if case .ended(let end) = receipt { end } else { await session.end(of: prompt.id) }
            guard !session.isTakenBack(prompt.id) else { throw ACPFields.cancelled }
            return try session.answer(to: prompt.id, end)
        }
    }

    private var cancel: Method {
        Method(
            "session/cancel", right: .drive,
            summary: "Stops what a session works on. Its prompts are answered with `cancelled`.",
            parameters: ACPFields.session, result: .anyObject
        ) { call, id async throws(JSONRPCError) in
            let session = try ACPFields.open(id, for: call)
            session.cancel()
            // Nothing runs, or everything has ended by now.
            try? await parts.sessions.interrupt(session.runID, cancelsQueued: true)
            return [:]
        }
    }

    /// Stops one prompt, whether it waits or is worked on.
    private func stop(_ prompt: String, of session: ACPSession) async {
        if (try? await parts.sessions.cancel(prompt, of: session.runID)) == true { return }
        try? await parts.sessions.interrupt(session.runID, cancelsQueued: false)
    }

    /// The protocol's way to take back any request; here, a prompt.
    private var cancelRequest: Method {
        Method(
            "$/cancel_request", right: .drive, summary: "Takes a prompt back, which is answered with an error.",
            parameters: ACPFields.requestID, result: .anyObject
        ) { call, request async throws(JSONRPCError) in
            guard let (session, prompt) = try ACPFields.client(of: call).takeBack(promptOf: request) else { return [:] }
            await stop(prompt, of: session)
            return [:]
        }
    }
}

extension ACPSession {
    /// The answer to a prompt. One that was cancelled is no error.
    func answer(to prompt: String, _ end: PromptEnd) throws(JSONRPCError) -> JSON {
        let (isCancelled, turn) = state.withLock { ($0.cancelled.contains(prompt), $0.lastTurn) }
        switch end {
        case _ where isCancelled: return ["stopReason": "cancelled"]
        // The agent says so of a prompt whose turn failed, too.
        case .cancelled where turn?.isError != true: return ["stopReason": "cancelled"]
        case .failed(let why): throw .internalError("the prompt was not brought to its end: \(why.text)")
        case .cancelled, .completed: return ["stopReason": .string(try turn?.stopReason ?? "end_turn")]
        }
    }
}

extension TurnEnd {
    /// In the words of the protocol.
    fileprivate var stopReason: String {
        get throws(JSONRPCError) {
            if reason.hasPrefix("aborted") { return "cancelled" }
            if reason.hasSuffix("max_turns") { return "max_turn_requests" }
            if reason == TurnEnd.refusal { return "refusal" }
            guard isError else { return "end_turn" }
            if text.holds("/login") { throw ACPFields.notLoggedIn }
            throw .internalError(text.isEmpty ? "the agent failed: \(reason)" : text)
        }
    }
}
