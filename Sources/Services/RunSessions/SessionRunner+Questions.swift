import Core

/// Takes what the children ask to the broker. The broker gets each question as the hook that stands for it, with the same rules, cards and
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
        let key = AnswerKey(session: session, run: run, request: request.id)
        if isDelivered { receipts[key] = reply.receipt }
        perform(effects)
        if request.kind == .permission { noteQuestionEnd(of: session) }
        if !isDelivered, let receipt = reply.receipt { Task { await parts.broker.delivered(receipt, false) } }
    }

    /// True if the line names a session that another process than the child works in.
    func namesAnother(_ event: ChildEvent, _ session: String) async -> Bool {
        guard let named = event.conversation, let known = state[session], !named.hasSameBytes(as: known.agentID) else {
            return false
        }
        return await parts.broker.isOfAnother(session: named, than: known.process)
    }

    /// The agent's own commands can write where it reads, and whoever did is the agent as far as anybody can tell.
    func alarm(_ session: String, _ what: String) {
        parts.log.warning(
            "something else than the daemon wrote to an agent, which is ended", ["session": session, "what": what])
        let pid = state[session]?.process?.pid ?? 0
        Task { await parts.broker.agentRefused(method: "\(what), written into the session \(session)", pid: pid) }
    }

    /// Asks the questions that waited when the last daemon ended, which the broker knows by their tokens.
    func askAgain(_ session: RunSession, _ child: any RunningChild) async {
        for open in session.requests {
            let now = parts.clock.now()
            if let request = await child.question(open), request.id == open.id, request.kind == open.kind {
                perform(
                    state.line(.asked(request), session: session.id, run: session.run, at: open.place, now: now))
            } else {
                perform(state.lost(open.id, session: session.id, run: session.run, at: now))
            }
        }
    }

    func noteQuestionEnd(of session: String) { questionEnds[session] = parts.clock.now().uptime }

    /// Counts what an earlier daemon, or another session of the conversation, asked and this one does not know of.
    func noteEarlierQuestions(of sessions: [RunSession]) {
        for session in sessions where session.phase != .ended { noteQuestionEnd(of: session.id) }
    }

    package func hasAskedLately(_ session: String) -> Bool {
        questionEnds[known(session)].map { parts.clock.now().uptime < $0 + Self.longestWay } ?? false
    }

    /// Seconds that an answer may be on its way: a connection on which nothing comes is closed before.
    private static let longestWay: Double = 120

    private func hook(for request: ChildRequest, of session: String) -> HookCall? {
        guard let known = state[session] else { return nil }
        var source = HookSource(
            // Stays the same for the next daemon, whose broker then knows the question.
            relayToken: "run \(session) \(known.run) \(request.id)", bodyDigest: request.digest, isAttended: false,
            claudePID: known.process?.pid, projectDirectory: known.directory)
        source.isOfThisMachine = true
        source.isOfRunSession = true
        return HookCall(request.event, from: source)
    }
}

extension HookAnswer {
    /// The answer with the input that is to run: whatever else the agent's output was made to say, no other call is allowed.
    fileprivate func whole(for request: ChildRequest) -> HookAnswer {
        guard case .allow(let reason, nil) = self, let tool = request.event.tool else { return self }
        return .allow(reason: reason, update: tool.kept)
    }
}
