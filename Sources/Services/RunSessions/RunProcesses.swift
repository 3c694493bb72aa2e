package import Core
import Platform

/// The processes of run sessions, for their hooks: what such a process asks comes by its own channel, so its hooks decide
/// nothing.
package final class RunProcesses: Sendable {
    private let agents = Locked<[Int32: String]>([:])

    package init() {}

    /// True for a hook of a process that the daemon started, in the conversation that this process works in. Neither is
    /// taken from a variable that a project could set: the agent itself tells both.
    package func sent(_ call: HookCall) -> Bool {
        guard let pid = call.source.claudePID else { return false }
        return agents.withLock { $0[pid] } == call.event.sessionID
    }

    func note(_ sessions: [RunSession]) {
        let found = sessions.compactMap { session in session.process.map { ($0.pid, session.agentID) } }
        agents.withLock { $0 = Dictionary(found, uniquingKeysWith: { $1 }) }
    }
}
