import Core

/// An answer on its way to a child.
struct AnswerKey: Sendable, Hashable {
    let session: String
    let run: Int
    let request: String
}

/// An answer is delivered once its bytes are where the child reads them: what waits in the daemon is lost with it.
extension SessionRunner {
    func noteWritten(_ input: ChildInput, to session: String) {
        if let key = key(of: input, to: session) { writtenAnswers.append(key) }
    }

    func whenWritten(_ input: ChildInput, to session: String) -> @Sendable () -> Void {
        guard let key = key(of: input, to: session) else { return {} }
        return { [weak self] in Task { await self?.wasWritten(key) } }
    }

    private func wasWritten(_ key: AnswerKey) {
        writtenAnswers.append(key)
        perform([])
    }

    /// Behind the effects that wrote them, whose rows still have the questions.
    func settleAnswers() {
        let written = writtenAnswers
        writtenAnswers = []
        for key in written {
            let effects = state.written(
                answerTo: key.request, session: key.session, run: key.run, at: parts.clock.now())
            for effect in effects { perform(effect) }
            report(key, isDelivered: true)
        }
    }

    /// A child that is gone takes none.
    func loseAnswers(of session: String) {
        for key in receipts.keys where key.session == session { report(key, isDelivered: false) }
    }

    private func report(_ key: AnswerKey, isDelivered: Bool) {
        guard let receipt = receipts.removeValue(forKey: key) else { return }
        Task { await parts.broker.delivered(receipt, isDelivered) }
    }

    private func key(of input: ChildInput, to session: String) -> AnswerKey? {
        guard case .answer(let request, _, _) = input, let run = state[session]?.run else { return nil }
        return AnswerKey(session: session, run: run, request: request)
    }
}
