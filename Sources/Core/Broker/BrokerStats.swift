/// The numbers of `permission/stats` and `cdev status`.
package struct BrokerStats: Sendable, Hashable {
    package var activeSessions = 0
    package var rules = 0
    package var pending = 0
    package var approvers = 0
    /// The number of times that a process inside an agent tried to decide, since the daemon started.
    package var agentRefusals = 0
    package var lastAgentRefusal: AgentRefusal?
    /// Calls that ran though their hooks were told to deny them, since the daemon started.
    package var ignoredDenies = 0
    /// Agents that run our hooks and are not held.
    package var bystanders: [Bystander] = []
    /// The least sequence number of the next event: a client asks for events from here.
    package var nextSequence: Int64 = 1
    /// Why the store last failed; `nil` while it works. Set by the daemon, which asks the store.
    package var storeFailure: String?

    package init() {}
}

/// An attempt of a process inside an agent to do what only the user may do.
package struct AgentRefusal: Sendable, Hashable {
    package let method: String
    package let pid: Int32
    package let at: Timestamp
}
