/// Does what is due by the clock.
extension SessionState {
    package mutating func timePassed(at now: Instant) -> [SessionEffect] {
        all.filter(\.hasChild).flatMap { session in
            update(session.id, at: now) { [limits] in $0.timePassed(at: now, limits: limits) }
        }
    }

    /// Returns the time at which `timePassed` has something to do, as far as is known now.
    package func nextWake() -> Uptime? {
        sessions.values.filter(\.hasChild).compactMap { $0.nextDue(limits) }.min()
    }
}

extension RunSession {
    fileprivate func nextDue(_ limits: SessionLimits) -> Uptime? {
        [clocks.due, clocks.interrupt?.due, idleDue(limits)].compactMap { $0 }.min()
    }

    /// The time at which an idle session is parked.
    private func idleDue(_ limits: SessionLimits) -> Uptime? {
        clocks.idleSince.map { $0 + (clocks.keepsMuch ? 0 : limits.idleSeconds) }
    }

    fileprivate mutating func timePassed(at now: Instant, limits: SessionLimits) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        if let interrupt = clocks.interrupt, interrupt.due <= now.uptime {
            clocks.interrupt = nil
            effects.append(.signal(session: id, .interrupt))
        }
        if let due = clocks.due, due <= now.uptime { return effects + takeNextStep(at: now, limits: limits) }
        guard let due = idleDue(limits), due <= now.uptime else { return effects }
        life = .ending(RunEnding(.park))
        return effects + askToEnd(at: now, limits: limits)
    }

    /// The start took too long, or the last step of the end did not help.
    private mutating func takeNextStep(at now: Instant, limits: SessionLimits) -> [SessionEffect] {
        clocks.due = now.uptime + limits.patience
        guard case .ending(var ending) = life else {
            let reason = "the agent did not answer for \(Int(limits.startSeconds)) s"
            life = .ending(RunEnding(hasConversation ? .park : .end(.neverStarted(reason)), step: .terminated))
            let failed = endPrompts(.failed(.neverStarted(reason))) { _ in true }
            return failed + [.signal(session: id, .terminate)]
        }
        ending.step = ending.step == .asked ? .terminated : .killed
        life = .ending(ending)
        if ending.step == .terminated { return [.signal(session: id, .terminate)] }
        clocks.due = nil
        return [.signal(session: id, .kill)]
    }
}
