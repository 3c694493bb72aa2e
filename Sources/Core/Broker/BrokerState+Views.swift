/// The read access to the state, and the attempts of agents to decide.
extension BrokerState {
    package var nextSequence: Int64 { counters.next }

    /// Held requests that wait for a decision, soonest deadline first; after a restart without those whose input was
    /// not read and has not come back with its relay.
    package func pending(session: String?) -> [PermissionRequest] {
        let found = session.map { requests.heldIDs(session: $0).compactMap { requests[$0] } }
        return (found ?? Array(requests.held.values)).filter {
            !$0.isDeciding && $0.request.input.bytesElsewhere == nil
        }.map(\.request)
            .sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }

    /// A held request, or one that ended lately.
    package func request(id: String) -> PermissionRequest? {
        requests[id]?.request ?? requests.endedRequest(id)
    }

    /// A held request, with its place.
    package func heldRequest(id: String) -> HeldCall? {
        requests[id].map { held in
            HeldCall(
                request: held.request, place: held.place,
                isOfThisMachine: sessions[held.request.sessionID]?.isOfThisMachine == true)
        }
    }

    package func sessionViews(at now: Instant) -> [SessionView] {
        sessions.sessions.values
            .map { session in
                var view = sessions.view(session, pending: requests.heldCount(session: session.id), at: now.wall)
                let policy = policy(session: session.id)
                view.gate = policy.gate
                view.modeNote = policy.note(on: session.permissionMode, of: Agent(sessionID: session.id))
                return view
            }
            .sorted { ($0.session.startedAt, $0.session.id) < ($1.session.startedAt, $1.session.id) }
    }

    /// True if a process works in the session, as far as its hooks tell, and this one does not.
    package func isOfAnother(session: String, than process: ProcessIdentity?) -> Bool {
        guard let known = sessions[session] else { return false }
        guard let process else { return true }
        return known.claudePID != process.pid || known.claudeStartTime != process.startTime
    }

    /// The start times of the agent processes that hooks named, by pid.
    package var claudeProcesses: [Int32: UInt64] { sessions.claudes }

    /// The most refusals that are published in one minute; all are counted. An agent that tries again and again must
    /// not push other events out of the log and the replay.
    package static let mostRefusals = 30

    /// Notes that a local process inside an agent tried to decide.
    package mutating func refuseAgent(_ method: String, _ pid: Int32, at now: Instant) -> [BrokerEffect] {
        agentRefusals += 1
        lastAgentRefusal = AgentRefusal(method: method, pid: pid, at: now.wall)
        guard refusalsAnnounced.admits(now.wall, most: Self.mostRefusals) else { return [] }
        return publish(.agentRefused(method: method, pid: pid), session: "", at: now.wall)
    }

    package func stats() -> BrokerStats {
        var stats = BrokerStats()
        stats.nextSequence = nextSequence
        stats.agentRefusals = agentRefusals
        stats.lastAgentRefusal = lastAgentRefusal
        stats.ignoredDenies = ignoredDenies
        stats.bystanders = bystanders.values.sorted { $0.agent.rawValue < $1.agent.rawValue }
        stats.activeSessions = sessions.sessions.count
        stats.approvers = approvers
        stats.pending = requests.count
        stats.rules = ruleBook.count
        return stats
    }
}
