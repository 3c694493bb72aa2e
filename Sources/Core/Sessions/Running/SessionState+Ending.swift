/// Interrupts, stops and ends of children.
extension SessionState {
    /// Interrupts the turn; an interrupt that the child does not answer becomes a signal.
    /// - Parameter cancelsQueued: takes the prompts out of the queue that wait behind the turn.
    package mutating func interrupt(
        session id: String, cancelsQueued: Bool, at now: Instant
    ) throws(SessionRefusal) -> [SessionEffect] {
        guard let session = sessions[id] else { throw .unknownSession }
        guard session.life == .ready || session.life == .starting else { throw .notRunning }
        return update(id, at: now) { [limits] session in
            let cancelled = cancelsQueued ? session.endPrompts(.cancelled) { $0.state == .queued } : []
            guard session.life == .ready else { return cancelled }
            session.takeBackInterrupted(all: cancelsQueued)
            let request = session.nextRequest()
            let due = session.clocks.interrupt?.due ?? now.uptime + limits.patience
            session.clocks.interrupt = InterruptWait(due: due, request: request)
            return cancelled + [.write(session: id, .interrupt(request: request, cancelsQueued: cancelsQueued))]
        }
    }

    /// Ends the session. Does nothing where it ends or has ended already.
    package mutating func stop(
        session id: String, because reason: RunEnd = .stopped, at now: Instant
    ) throws(SessionRefusal) -> [SessionEffect] {
        guard sessions[id] != nil else { throw .unknownSession }
        return update(id, at: now) { [limits] session in
            switch session.life {
            case .ended: return []
            case .parked:
                session.life = .ended(reason)
                return []
            case .ending(let ending):
                guard ending.purpose == .park else { return [] }
                session.life = .ending(RunEnding(.end(reason), step: ending.step))
                return session.endPrompts(.cancelled) { $0.state == .queued }
            case .ready, .starting:
                let cancelled = session.endPrompts(.cancelled) { $0.state == .queued }
                session.life = .ending(RunEnding(.end(reason)))
                return cancelled + (session.process == nil ? [] : session.askToEnd(at: now, limits: limits))
            }
        }
    }

    /// The child has ended, and all that it wrote was taken in; or it could not be started.
    package mutating func exited(
        session id: String, run: Int, _ exit: ChildExit, said: String? = nil, at now: Instant
    ) -> [SessionEffect] {
        guard current(id, run) != nil else { return [] }
        return update(id, at: now) { [limits] in $0.close(.childEnded(exit, said: said), at: now, limits: limits) }
    }

    /// The child could not be started.
    package mutating func spawnFailed(
        session id: String, run: Int, _ reason: String, at now: Instant
    ) -> [SessionEffect] {
        guard current(id, run) != nil else { return [] }
        return update(id, at: now) { [limits] in $0.close(.neverStarted(reason), at: now, limits: limits) }
    }
}

extension RunSession {
    /// Asks the child to end by itself; `SessionState.timePassed` takes the next steps.
    mutating func askToEnd(at now: Instant, limits: SessionLimits) -> [SessionEffect] {
        clocks.due = now.uptime + limits.patience
        let isPark = if case .ending(let ending) = life { ending.purpose == .park } else { false }
        let interrupt: [SessionEffect] =
            isPark ? [] : [.write(session: id, .interrupt(request: nextRequest(), cancelsQueued: true))]
        return interrupt + [.write(session: id, .endSession(request: nextRequest()))]
    }

    /// A prompt that no child confirmed is interrupted, too: the next child would run it as if nobody had said a word. Of
    /// several that is the first, which begins the turn.
    fileprivate mutating func takeBackInterrupted(all: Bool) {
        let first = isBusy ? nil : prompts.first?.id
        takeBack { all || $0.id == first }
    }

    fileprivate mutating func close(
        _ failure: PromptFailure, at now: Instant, limits: SessionLimits
    ) -> [SessionEffect] {
        let withdrawn: [SessionEffect] = openRequests.map { .withdraw(session: id, request: $0.id, .childEnded) }
        let before = life
        reset()
        var effects = withdrawn + [.sweep(session: id)] + endPrompts(.cancelled) { $0.isTakenBack }
        switch before {
        case .ending(let ending):
            guard case .end(let reason) = ending.purpose else {
                effects += endPrompts(.failed(failure)) { $0.state != .queued }
                life = .parked
                return effects + (prompts.isEmpty ? [] : begin(at: now, limits: limits))
            }
            life = .ended(reason)
            return effects + endPrompts(.failed(.sessionEnded(reason))) { _ in true }
        case .starting where failure.isUnseen, .ready:
            life = .parked
            repeatUnconfirmed()
            effects += endPrompts(.failed(failure)) { $0.state != .queued }
            return effects + (prompts.isEmpty ? [] : begin(at: now, limits: limits))
        case .starting where !hasConversation: life = .ended(.neverStarted(failure.text))
        case .ended, .parked, .starting: life = .parked
        }
        return effects + endPrompts(.failed(failure)) { _ in true }
    }

    /// Forgets what belonged to the child.
    private mutating func reset() {
        process = nil
        if let wish { mode = wish.mode }
        wish = nil
        requests = []
        tasks = []
        isBusy = false
        tellsState = false
        clocks.due = nil
        clocks.interrupt = nil
        clocks.probe = nil
    }
}

extension PromptFailure {
    /// Says what happened, for people.
    package var text: String {
        switch self {
        case .childEnded(let exit, let said): exit.words + (said.map { "; it said: \($0)" } ?? "")
        case .neverSent: "cdev ended before the prompt was sent"
        case .neverStarted(let reason): reason
        case .sessionEnded: "the session was ended"
        }
    }
}

extension PromptFailure {
    fileprivate var isUnseen: Bool { if case .childEnded(.unseen, _) = self { true } else { false } }
}

extension ChildExit {
    fileprivate var words: String {
        switch self {
        case .code(let code): "the agent ended with status \(code)"
        case .signal(let number): "signal \(number) ended the agent"
        case .unseen: "the agent ended while cdev did not run"
        }
    }
}
