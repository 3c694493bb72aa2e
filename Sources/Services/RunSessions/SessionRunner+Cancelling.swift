package import Core

/// Prompts that are taken back.
extension SessionRunner {
    package func cancel(_ prompt: String, of session: String) async throws(RunSessionFailure) -> Bool {
        let session = known(session)
        let asked = try await attempt(session) { (state, now) throws(SessionRefusal) in
            let (request, effects) = try state.cancel(prompt: prompt, session: session, at: now)
            // Noted before it is written: the child answers while the row is saved.
            if let request { answers.expect(AwaitedAnswers.key(session, request)) }
            return (request, effects)
        }
        if let asked { await answer(to: AwaitedAnswers.key(session, asked)) }
        return state.end(of: prompt, session: session) == .cancelled
    }
}

extension SessionRunner {
    package func confirm(_ session: String) async throws(RunSessionFailure) {
        guard await isWritten(known(session)) else { throw .unwritten }
    }
}

/// What a device sent is not run for one that may do nothing any more.
extension SessionRunner: RevocationListener {
    package func deviceRevoked(_ id: String) async -> String? {
        let effects = state.drop(promptsOf: id, at: parts.clock.now())
        perform(effects)
        for case .recall(let session, let prompt, let request) in effects { recall(prompt, request, of: session) }
        // Also what an earlier call dropped, and could not write.
        guard await isAllWritten() else { return "the prompts that it sent were dropped, and that is not written down" }
        return nil
    }

    /// A pipe gives nothing back, so a child that has not read it all is ended: whenever it read on, it would run the prompt.
    private func recall(_ prompt: String, _ request: String, of session: String) {
        guard let child = children[session] else { return }
        switch child.recall(prompt) {
        case .read: write(.cancelPrompt(request: request, prompt: prompt), to: session)
        case .unread:
            parts.log.warning(
                "an agent has not read a prompt whose device was revoked, so it is ended", ["session": session])
            child.signal(.kill)
        case .unwritten: perform(state.recalled(prompt: prompt, session: session, at: parts.clock.now()))
        }
    }

    /// Its prompts run as long as it may send them.
    package nonisolated func deviceEndsSoon(_ device: Device) {}
}
