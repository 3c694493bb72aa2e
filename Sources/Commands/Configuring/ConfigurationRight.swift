import Agents
import Glibc
import Host

/// The right to change the configuration, to stop the daemon and to take the hooks out.
enum ConfigurationRight {
    /// Throws if this process runs inside an agent, because an agent must not change the configuration, stop the daemon
    /// or uninstall the hooks. The daemon is asked first, so that it tells every approver of the attempt. The process
    /// is also checked here, because no daemon may run, or one that the agent started.
    static func require(_ places: Places) throws(CommandFailure) {
        do throws(CommandFailure) {
            _ = try places.client.call("config/change")
        } catch {
            if error.status == .refused { throw error }
        }
        guard ProcessTable(listed: ClaudeRegistry().startTime).runsInsideAgent(getpid(), agents: [:]) else { return }
        throw CommandFailure(
            .refused,
            "refused: a process inside an agent may not change the configuration, stop the daemon or take its hooks out; "
                + "run this in a terminal of your own")
    }
}
