extension RunSession {
    /// Times that were measured by the last daemon do not count, and each question has to be read again.
    fileprivate var asRestored: RunSession {
        var copy = self
        copy.clocks = RunClocks(lastActivity: clocks.lastActivity, readTo: clocks.readTo)
        copy.clocks.traffic.isWhole = false
        copy.clocks.firstRequest = .max
        for index in copy.requests.indices {
            copy.requests[index].isAsked = false
            copy.requests[index].isAnswered = false
            copy.requests[index].isInherited = true
        }
        return copy
    }
}

/// The next daemon.
extension SessionState {
    /// Takes in what the last daemon wrote. Children are to be found again; each is then reported by `adopted` or
    /// `exited`, after the lines that were not taken in.
    package mutating func restore(_ remembered: [RunSession]) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        for session in remembered where !session.isOver {
            insert(session.asRestored)
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
            session.clocks.firstRequest = now.wall.milliseconds
            switch session.life {
            case .starting:
                session.clocks.due = now.uptime + limits.startSeconds
                return session.probe(for: [])
            case .ending: return session.askToEnd(at: now, limits: limits)
            case .ready:
                return session.leaveBypass(limits) + session.remind(limits) + session.cancelTakenBack()
                    + session.probe()
            case .ended, .parked: return []
            }
        }
    }
}

extension RunSession {
    /// A daemon that is killed may leave a prompt unwritten. Once the child answers what is asked behind it, it has told
    /// of each prompt that it has (measured with Claude Code 2.1.330); a child that tells of none is left alone. And what it
    /// shows from then on was written by this daemon, or by somebody else.
    fileprivate mutating func probe() -> [SessionEffect] {
        let unconfirmed = Set(prompts.filter { $0.isUnconfirmed || $0.isTakenBack }.map(\.id))
        return probe(for: tellsState ? unconfirmed : [])
    }

    /// A child is not told twice how it is driven: a call whose question it waits for would not be run (measured with
    /// 2.1.329). One that the last daemon was about to tell answers this, and has not answered that.
    fileprivate mutating func probe(for prompts: Set<String>) -> [SessionEffect] {
        let request = nextRequest()
        clocks.probe = PromptProbe(request: request, prompts: prompts)
        return [.write(session: id, .probe(request: request))]
    }

    /// A child that lives on may be in a mode that is not allowed any more.
    fileprivate mutating func leaveBypass(_ limits: SessionLimits) -> [SessionEffect] {
        guard mode == .bypassPermissions, !limits.allowsBypass else { return [] }
        return [.write(session: id, .setMode(request: nextRequest(), .default))]
    }

    /// The last daemon may not have come to tell the child that it has been set to another mode.
    fileprivate mutating func remind(_ limits: SessionLimits) -> [SessionEffect] {
        guard let mode = wish?.mode else { return [] }
        wish = nil
        guard mode != .bypassPermissions || limits.allowsBypass else { return [] }
        return [.write(session: id, wishing(for: mode))]
    }

    /// Nor that a prompt has been taken back, which lies in its pipe.
    fileprivate mutating func cancelTakenBack() -> [SessionEffect] {
        prompts.filter(\.isTakenBack).map {
            .write(session: id, .cancelPrompt(request: nextRequest(), prompt: $0.id))
        }
    }

    /// Everything that was written before the probe has been read.
    mutating func noteProbe() -> [SessionEffect] {
        let asked = clocks.probe?.prompts ?? []
        clocks.probe = nil
        repeatUnconfirmed { asked.contains($0.id) }
        return endPrompts(.cancelled) { $0.isTakenBack && asked.contains($0.id) }
            + endPrompts(.failed(.neverSent)) { $0.isUnconfirmed && asked.contains($0.id) } + sendQueued()
    }
}
