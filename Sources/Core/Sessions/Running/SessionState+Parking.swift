/// The end of a process whose conversation goes on elsewhere, or with another.
extension SessionState {
    /// Ends the session's process, unless it works on something; the next prompt starts one again.
    package mutating func park(session id: String, at now: Instant) throws(SessionRefusal) -> [SessionEffect] {
        guard let session = sessions[id] else { throw .unknownSession }
        guard session.prompts.isEmpty else { throw .busy }
        switch session.life {
        case .ended: throw .ended
        case .ending(let ending):
            guard ending.purpose == .park else { throw .stopping }
            return []
        case .parked: return []
        case .starting: throw .starting
        case .ready:
            guard session.phase == .idle, !session.hasBackgroundWork else { throw .busy }
            return update(id, at: now) { [limits] session in
                session.life = .ending(RunEnding(.park))
                return session.askToEnd(at: now, limits: limits)
            }
        }
    }

    /// What the child wrote takes much of the disk until it ends. It holds the file itself, so no other file can be put in
    /// its place; the next child begins one. So this one ends as soon as it works on nothing.
    package mutating func keepsMuch(session id: String, run: Int, at now: Instant) -> [SessionEffect] {
        guard current(id, run) != nil else { return [] }
        return update(id, at: now) { session in
            session.clocks.keepsMuch = true
            return []
        }
    }
}
