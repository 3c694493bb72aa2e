import Rules

/// Sessions that belong together for a person: those of an agent and of its subagents.
extension BrokerState {
    /// The deny rules that apply to a session's calls: those of the session and of its relatives.
    /// - Parameter process: The agent's process, where a verified call names it before its session is known.
    func denyRules(session: String, process: Int32? = nil) -> GrantedRules {
        let own = ruleBook.rules(session: session, .deny)
        let others = relatives(of: session, process: process).flatMap { ruleBook.rules(session: $0, .deny).all }
        return others.isEmpty ? own : GrantedRules(own.all + others)
    }

    /// Other sessions in the same living process of the same agent, where its subagents are sessions of their own.
    func relatives(of session: String, process: Int32? = nil) -> [String] {
        let agent = Agent(sessionID: session)
        guard agent.profile.subagentsAreSessions, let pid = process ?? sessions[session]?.claudePID,
            let started = startTime(pid)
        else { return [] }
        return sessions.sessions.values.filter { other in
            other.id != session && other.agent == agent && other.claudePID == pid && other.claudeStartTime == started
        }.map(\.id).sorted()
    }
}
