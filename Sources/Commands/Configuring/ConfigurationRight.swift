import Daemon
import Glibc
import Host

/// The right to change the configuration, to start and stop the daemon and to take the hooks out.
enum ConfigurationRight {
    static var isInsideAgent: Bool {
        ProcessTable(listed: ListedAgents.startTime).runsInsideAgent(getpid(), agents: [:])
    }

    /// Throws if this process runs inside an agent, because an agent must not change the configuration, start or stop
    /// the daemon or uninstall the hooks. The daemon is asked first, also at the socket of its home, whatever socket was named, so
    /// that it tells every approver of the attempt. The process is also checked here, because no daemon may run, or one
    /// that the agent started.
    static func require(_ places: Places) throws(CommandFailure) {
        var isAnswered = false
        for socket in Set([places.socket, places.home + "/cdev.sock"]) {
            do throws(CommandFailure) {
                _ = try DaemonClient(socketPath: socket).call("config/change")
                isAnswered = true
            } catch {
                if error.status == .refused { throw error }
            }
        }
        if !isAnswered { try requireNoDaemon(places) }
        guard !HomeDirectory.hidesCaller(places.home) else { throw hidden(places.home) }
        guard isInsideAgent else { return }
        throw CommandFailure(
            .refused,
            "refused: a process inside an agent may not change the configuration, start or stop the daemon or take its hooks "
                + "out; run this in a terminal of your own")
    }

    /// The socket may be hidden in namespaces of an agent's own, too, so a daemon's answer there does not count.
    private static func hidden(_ home: String) -> CommandFailure {
        CommandFailure(
            .refused,
            "refused: this runs in namespaces of its own (a sandbox or a container), where the processes that started it cannot "
                + "be seen, so it may be inside an agent. Run it where the daemon of \(home) runs; for a container of your own, "
                + "give it a home of its own with CDEV_HOME")
    }

    /// A daemon that knows which processes are agents runs, and cannot be asked: whoever suspended it, or took its socket
    /// away, may be one of them.
    private static func requireNoDaemon(_ places: Places) throws(CommandFailure) {
        guard let pid = HomeDirectory.owner(of: places.home) else { return }
        throw CommandFailure(
            .refused,
            "a daemon (pid \(pid)) runs in \(places.home), but does not answer, so it cannot be asked whether this is allowed. "
                + "If it was suspended, `kill -CONT \(pid)` continues it; else end it with `kill \(pid)`, and try again"
        )
    }
}
