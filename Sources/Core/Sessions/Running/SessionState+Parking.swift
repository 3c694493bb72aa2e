/// The end of a process whose conversation goes on elsewhere.
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
}
