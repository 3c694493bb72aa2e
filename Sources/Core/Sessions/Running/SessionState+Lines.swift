/// Takes in what the child says.
extension SessionState {
    /// The process of a start is known.
    package mutating func spawned(
        _ process: ProcessIdentity, _ settings: ProjectSettings? = nil, session id: String, run: Int, at now: Instant
    ) -> [SessionEffect] {
        guard let session = current(id, run), session.process == nil else { return [] }
        return update(id, at: now) { [limits] session in
            session.process = process
            session.projectSettings = settings
            if case .ending = session.life { return session.askToEnd(at: now, limits: limits) }
            return [.write(session: id, .initialize(request: session.nextRequest()))]
        }
    }

    /// Takes in a line.
    /// - Parameters:
    ///   - place: the line's place in the child's output. A line that was taken in before is ignored, except for a
    ///     question that a new daemon has to ask again.
    ///   - namesAnother: True if the line names a conversation that a process works in which is not this child.
    package mutating func line(
        _ event: ChildEvent, session id: String, run: Int, at place: SpoolPlace, now: Instant,
        namesAnother: Bool = false
    ) -> [SessionEffect] {
        guard let session = current(id, run) else { return [] }
        if case .asked(let request) = event, session.awaitsAgain(request.id) {
            return update(id, at: now) { $0.askAgain(request) }
        }
        guard place.offset >= session.clocks.readTo else { return [] }
        let isForeign = namesAnother || event.conversation.map { hasOther(than: session, in: $0) } ?? false
        let isKnown = if case .promptState(let prompt, _) = event { has(prompt: prompt, session: id) } else { true }
        return update(id, at: now) { session in
            session.clocks.readTo = place.end
            session.clocks.lastActivity = now.wall
            // A command of the child's can write where the child prints, and the questions behind the line would be shown
            // as another session's.
            if isForeign { return session.intrude("the name of another session") }
            return session.take(event, at: place, now: now, isKnown: isKnown)
        }
    }

    /// True if another session of ours has the conversation.
    private func hasOther(than session: RunSession, in conversation: String) -> Bool {
        sessions.values.contains {
            $0.id != session.id && !$0.isOver && $0.agentID.utf8.elementsEqual(conversation.utf8)
        }
    }

    /// The session, if this is its present child.
    func current(_ id: String, _ run: Int) -> RunSession? {
        sessions[id].flatMap { $0.run == run && $0.hasChild ? $0 : nil }
    }
}

extension RunSession {
    /// - Parameter isKnown: False for a prompt that nobody sent.
    fileprivate mutating func take(
        _ event: ChildEvent, at place: SpoolPlace, now: Instant, isKnown: Bool
    ) -> [SessionEffect] {
        switch event {
        case .answered(let request, let failure, let shown):
            return isOurs(request) ? noteAnswer(to: request, failure, at: now) : noteTaken(shown, to: request)
        case .asked(let request): return ask(request, at: place)
        case .promptEcho(let prompt): noteEcho(of: prompt)
        case .promptState(let prompt, let state): return note(prompt, state, isKnown: isKnown)
        case .result: return noteResult()
        case .state(let state): return note(state)
        case .unsupported(let request): return [refuse(request)]
        case .withdrawn(let request): return withdraw(request)
        case .backgroundTasks, .conversation, .mode, .taskEnded, .taskStarted, .title, .turn: note(event)
        case .other: break
        }
        return []
    }

    private mutating func note(_ event: ChildEvent) {
        switch event {
        case .backgroundTasks(let all): tasks = all
        case .conversation(let new): agentID = new
        case .mode(let mode): self.mode = mode
        case .taskEnded(let task): tasks.remove(task)
        case .taskStarted(let task): if tasks.count < Self.mostTasks { tasks.insert(task) }
        case .title(let title): self.title = title
        case .turn(let facts):
            agentID = facts.agentID
            mode = facts.mode
            model = facts.model ?? model
            hasConversation = true
            isBusy = isBusy || !tellsState
        default: break
        }
    }

    /// The child's first answer makes it ready; that of an interrupt ends the wait for it.
    private mutating func noteAnswer(to request: String, _ failure: String?, at now: Instant) -> [SessionEffect] {
        guard clocks.traffic.answered(request, isEarlier: isEarlier(request)) else { return intrude("a request") }
        if clocks.interrupt?.request == request { clocks.interrupt = nil }
        noteWish(request, isRefused: failure != nil)
        if clocks.probe?.request == request {
            guard life == .starting else { return life == .ready ? noteProbe() : [] }
            clocks.probe = nil
            return [.write(session: id, .initialize(request: nextRequest()))]
        }
        guard life == .starting else { return [] }
        if let failure {
            clocks.due = now.uptime
            life = .ending(RunEnding(hasConversation ? .park : .end(.neverStarted(failure))))
            return endPrompts(.failed(.neverStarted(failure))) { _ in true }
        }
        clocks.due = nil
        life = .ready
        return sendQueued()
    }
}
