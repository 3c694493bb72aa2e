/// The numbers of `permission/stats` and `cdev status`.
package struct BrokerStats: Sendable, Hashable {
    package var activeSessions = 0
    package var rules = 0
    package var pending = 0
    package var approvers = 0
    /// Attempts of processes inside an agent to decide, since the daemon started.
    package var agentRefusals = 0
    package var lastAgentRefusal: AgentRefusal?
    /// Calls that ran though their hooks were told to deny them, since the daemon started.
    package var ignoredDenies = 0
    /// Agents that run our hooks and are not held.
    package var bystanders: [Bystander] = []
    /// The number the next event will have at least: where a client that asks for events begins.
    package var nextSequence: Int64 = 1
    /// Why the store last failed; `nil` while it works. The broker does not know: the daemon asks the store.
    package var storeFailure: String?

    package init() {}
}

/// A process inside an agent tried to do what only its user may.
package struct AgentRefusal: Sendable, Hashable {
    package let method: String
    package let pid: Int32
    package let at: Timestamp
}
