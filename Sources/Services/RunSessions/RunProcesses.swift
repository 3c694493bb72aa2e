package import Core
import Platform

/// The processes of run sessions, for their hooks: what such a process asks comes by its own channel, so its hooks decide
/// nothing.
package final class RunProcesses: Sendable {
    private struct Known {
        var agents: [Int32: String] = [:]
        var sessions: [String: String] = [:]
        var running: [RunSession] = []
    }

    private let known = Locked(Known())

    package init() {}

    /// True for a hook of a process that the daemon started, in the conversation that this process works in. Neither is
    /// taken from a variable that a project could set: the agent itself tells both.
    package func sent(_ call: HookCall) -> Bool {
        guard let pid = call.source.claudePID else { return false }
        return known.withLock { $0.agents[pid] } == call.event.sessionID
    }

    /// The session that works in an agent's conversation.
    func session(of agentID: String) -> String? { known.withLock { $0.sessions[agentID] } }

    /// The sessions that have a process.
    var running: [RunSession] { known.withLock { $0.running } }

    func note(_ sessions: [RunSession]) {
        let agents = sessions.compactMap { session in session.process.map { ($0.pid, session.agentID) } }
        let ids = sessions.filter(\.hasChild).map { ($0.agentID, $0.id) }
        known.withLock {
            $0.agents = Dictionary(agents, uniquingKeysWith: { $1 })
            $0.sessions = Dictionary(ids, uniquingKeysWith: { $1 })
            $0.running = sessions.filter(\.hasChild)
        }
    }
}
