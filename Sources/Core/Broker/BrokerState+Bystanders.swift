/// Agents that run our hooks and are not held: their calls get no card, no session and no answer, only an event that
/// says so.
extension BrokerState {
    /// The most events about such agents that are published in one minute. Each agent's latest call is kept all the
    /// same.
    package static let mostBystanders = 10

    /// Notes a call of such an agent, and publishes an event when the agent's session is another than before.
    mutating func noteBystander(_ call: HookCall, at now: Timestamp) -> [BrokerEffect] {
        let event = call.event
        guard call.source.isVerified else { return [] }
        let before = bystanders[event.agent]
        let seen = Bystander(
            agent: event.agent, sessionID: event.sessionID, cwd: event.cwd, firstSeen: before?.firstSeen ?? now,
            lastSeen: now)
        bystanders[event.agent] = seen
        guard before?.sessionID != event.sessionID, bystandersAnnounced.admits(now, most: Self.mostBystanders) else {
            return []
        }
        return publish(.agentNotHeld(seen), session: "", at: now)
    }
}

/// The latest call of an agent that runs our hooks and is not held.
package struct Bystander: Sendable, Hashable {
    package let agent: Agent
    /// The session of its latest call.
    package let sessionID: String
    package let cwd: String
    package let firstSeen: Timestamp
    package let lastSeen: Timestamp

    package init(agent: Agent, sessionID: String, cwd: String, firstSeen: Timestamp, lastSeen: Timestamp) {
        self.agent = agent
        self.sessionID = sessionID
        self.cwd = cwd
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
    }

    /// The consequences, in a sentence for people.
    package var reason: String {
        "\(agent.name) runs the hooks of Claude Code's settings; cdev stays out of it: no call of it is held, no rule is "
            + "applied to it, and --on-failure block does not hold there"
    }
}
