import Core

/// What the children ask. The broker gets each question as the hook that stands for it, with the same rules, cards and
/// answers.
extension SessionRunner {
    func ask(_ request: ChildRequest, of session: String) {
        guard let run = state[session]?.run, let call = hook(for: request, of: session) else { return }
        parts.places.note(call)
        questions[session, default: [:]][request.id] = Task {
            let reply = await parts.broker.hook(call) { _ in }
            // Withdrawn, or left to the next daemon: the reply of a broker that nobody waits for is none.
            guard !Task.isCancelled, !isClosing else { return }
            questions[session]?[request.id] = nil
            answer(request, reply, of: session, run)
        }
    }

    private func answer(_ request: ChildRequest, _ reply: HookReply, of session: String, _ run: Int) {
        let (isDelivered, effects) = state.decide(
            reply.answer.whole(for: request), request: request.id, session: session, run: run,
            at: parts.clock.now())
        perform(effects)
        guard let receipt = reply.receipt else { return }
        Task { await parts.broker.delivered(receipt, isDelivered) }
    }

    /// Asks the questions that waited when the last daemon ended, which the broker knows by their tokens.
    func askAgain(_ session: RunSession, _ child: any RunningChild) async {
        for open in session.requests {
            let now = parts.clock.now()
            if case .asked(let request)? = await child.event(at: open.place), request.id == open.id {
                perform(
                    state.line(.asked(request), session: session.id, run: session.run, at: open.place, now: now))
            } else {
                perform(state.lost(open.id, session: session.id, run: session.run, at: now))
            }
        }
    }

    private func hook(for request: ChildRequest, of session: String) -> HookCall? {
        guard let known = state[session] else { return nil }
        var source = HookSource(
            // Stays the same for the next daemon, whose broker then knows the question.
            relayToken: "run \(session) \(known.run) \(request.id)", isAttended: false,
            claudePID: known.process?.pid, projectDirectory: known.directory)
        source.isOfThisMachine = true
        source.isOfRunSession = true
        return HookCall(request.event, from: source)
    }
}

extension HookAnswer {
    /// The answer with the input that is to run: older agents want it said again.
    fileprivate func whole(for request: ChildRequest) -> HookAnswer {
        guard request.kind == .permission, case .allow(let reason, nil) = self, let tool = request.event.tool else {
            return self
        }
        return .allow(reason: reason, update: tool.kept)
    }
}
