/// What the child is asked about its servers of tools.
extension SessionState {
    /// Asks the child for its servers. Returns the id of the request, which the child answers.
    package mutating func listServers(
        session id: String, at now: Instant
    ) throws(SessionRefusal) -> (request: String, [SessionEffect]) {
        guard let session = sessions[id] else { throw .unknownSession }
        switch session.life {
        case .ended: throw .ended
        case .ending: throw .stopping
        case .parked: throw .notRunning
        case .ready: break
        case .starting: throw .starting
        }
        var request = ""
        let effects = update(id, at: now) { session in
            request = session.nextRequest()
            return [.write(session: id, .listServers(request: request))]
        }
        return (request, effects)
    }
}
