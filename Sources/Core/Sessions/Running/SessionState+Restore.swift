extension RunSession {
    /// Times that were measured by the last daemon do not count, and each question has to be read again.
    fileprivate var asRestored: RunSession {
        var copy = self
        copy.clocks = RunClocks(lastActivity: clocks.lastActivity, readTo: clocks.readTo)
        for index in copy.requests.indices { copy.requests[index].isAsked = false }
        return copy
    }
}

/// The next daemon.
extension SessionState {
    /// Takes in what the last daemon wrote. Children are to be found again; each is then reported by `adopted` or
    /// `exited`, after the lines that were not taken in.
    package mutating func restore(_ remembered: [RunSession], at now: Instant) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        for session in remembered where !session.isOver {
            insert(session.asRestored)
            effects += update(session.id, at: now) { session in
                session.endPrompts(.failed(.neverSent)) { $0.state == .queued }
            }
            if session.hasChild { effects.append(.adopt(sessions[session.id]!)) }
        }
        return effects
    }

    /// The child of an earlier daemon lives, and can be written to.
    package mutating func adopted(
        _ process: ProcessIdentity, session id: String, run: Int, at now: Instant
    ) -> [SessionEffect] {
        guard current(id, run) != nil else { return [] }
        return update(id, at: now) { [limits] session in
            session.process = process
            // Requests of earlier daemons may be unanswered, so the numbers go on behind all of theirs.
            session.clocks.lastRequest = now.wall.milliseconds
            switch session.life {
            case .starting:
                session.clocks.due = now.uptime + limits.startSeconds
                return [.write(session: id, .initialize(request: session.nextRequest()))]
            case .ending: return session.askToEnd(at: now, limits: limits)
            case .ended, .parked, .ready: return []
            }
        }
    }
}
