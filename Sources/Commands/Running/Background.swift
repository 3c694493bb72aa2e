import Core
import Glibc
import Host
import OrderedJSON
import Platform

extension Command {
    static let start = Command(
        "start", summary: "start the daemon in the background",
        details: "As the systemd user service where that is installed, else as a process of its own.",
        options: [
            CommandOption(
                "--again", nil, "in the environment of the last start, as the relay does when the daemon is gone"),
            CommandOption("--home", "DIR", "in place of $CDEV_HOME"),
        ]
    ) { called in
        let invocation = called.has("--again") ? try KeptStart.invocation(called) : called
        let places = try Places(invocation)
        if let status = try running(places) {
            return Terminal.write("already running: pid \(status.text("pid")), log \(status.text("log"))\n")
        }
        if !called.has("--again") { try ConfigurationRight.require(places) }
        try DaemonStart.run(invocation, places)
    }

    static let restart = Command(
        "restart", summary: "stop the daemon and start it again, once config.json has been found valid",
        details: "Held calls wait for the new daemon. Starts one if none runs.",
        options: [CommandOption("--home", "DIR", "in place of $CDEV_HOME")]
    ) { invocation in
        try restart(invocation, tellsProblem: true)
    }

    /// - Parameter tellsProblem: False for a command that sees to the hooks itself afterwards.
    static func restart(_ invocation: Invocation, tellsProblem: Bool) throws(CommandFailure) {
        let places = try Places(invocation)
        // A daemon that is stopped and cannot start again would leave the sessions without one.
        try ConfigurationFile(home: places.home).check()
        let isUp = try running(places) != nil
        try ConfigurationRight.require(places)
        if isUp { try end(invocation, places) }
        try DaemonStart.run(invocation, places, tellsProblem: tellsProblem)
    }

    static let stop = Command(
        "stop", operands: "[SESSION]", 0...1, summary: "stop the daemon, or a session that it runs",
        details: """
            Held calls look for the daemon for five seconds; start it again within them and nothing is lost. The sessions
            that it runs go on without it. SESSION is the id of such a session, or the beginning of one: it is ended with
            its process, and what was said stays.
            """,
        options: [CommandOption("--home", "DIR", "in place of $CDEV_HOME")]
    ) { invocation in
        let places = try Places(invocation)
        if let session = invocation.operands.first { return try RunSessionChoice.end(session, places.client) }
        _ = try places.client.call("status/get")
        try ConfigurationRight.require(places)
        try end(invocation, places)
        Terminal.write("cdev has stopped; its log is \(places.log)\n")
    }

    private static func end(_ invocation: Invocation, _ places: Places) throws(CommandFailure) {
        let status = try places.client.call("status/get")
        guard let pid = status["pid"]?.intValue, pid > 1 else {
            throw CommandFailure(.other, "the daemon did not tell its pid")
        }
        // First, or a relay would start it again.
        KeptStart.remove(places.home)
        if let service = UserService(invocation.environment, home: places.home), service.isActive {
            try service.stop()
        } else if kill(pid_t(pid), SIGTERM) != 0 {
            throw CommandFailure(.other, "pid \(pid) could not be stopped: \(SystemError.last)")
        }
        try waitUntilGone(pid_t(pid))
    }

    /// Throws if a daemon runs and is silent: no other can start beside it.
    private static func running(_ places: Places) throws(CommandFailure) -> JSON? {
        do throws(CommandFailure) {
            return try places.client.call("status/get")
        } catch {
            guard error.status == .noDaemon else { throw error }
            return nil
        }
    }

    private static func waitUntilGone(_ pid: pid_t) throws(CommandFailure) {
        let deadline = SystemTime.awake + 10_000
        while kill(pid, 0) == 0 {
            guard SystemTime.awake < deadline else {
                throw CommandFailure(.other, "pid \(pid) has not stopped within 10 s")
            }
            usleep(20_000)
        }
    }
}

/// The systemd user service, if it is installed for this home and systemd runs.
struct UserService {
    private let environment: [String: String]
    /// True if the unit came with the package, whose users have not been asked about it yet.
    private let isPackaged: Bool

    init?(_ environment: [String: String], home: String) {
        self.environment = environment
        guard let user = environment["HOME"], home == user + "/.cdev" else { return nil }
        let config = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? user + "/.config"
        let isOwn = access(config + "/systemd/user/cdev.service", F_OK) == 0
        // The package's unit runs the package's program, and no other.
        isPackaged =
            !isOwn && Executable.path == "/usr/bin/cdev"
            && access("/usr/lib/systemd/user/cdev.service", F_OK) == 0
        guard isOwn || isPackaged, runsHere else { return nil }
    }

    /// True if systemctl works. In a chroot every systemctl command succeeds and does nothing: only its output shows
    /// the difference.
    private var runsHere: Bool {
        guard let shown = systemctl("show-environment") else { return false }
        return shown.status == 0 && !shown.output.isEmpty
    }

    var isActive: Bool { systemctl("is-active", "cdev.service")?.status == 0 }

    func start() throws(CommandFailure) {
        // Or nothing would start it after a reboot: the relay leaves that to the service manager.
        if isPackaged { try must("enable") }
        try must("start")
    }

    /// The last line of the service's output; `nil` while it runs or is being started.
    var failure: String? {
        guard systemctl("is-failed", "cdev.service")?.status == 0 else { return nil }
        let journal = ChildProcess.run(
            ["journalctl", "--user", "-u", "cdev.service", "-n", "20", "-o", "cat"], environment: environment,
            seconds: 10)
        let said = journal?.output.split(separator: "\n").last { $0.hasPrefix("cdev: ") }
        return said.map(String.init) ?? "see `journalctl --user -u cdev`"
    }

    func stop() throws(CommandFailure) { try must("stop") }

    private func must(_ verb: String) throws(CommandFailure) {
        guard let result = systemctl(verb, "cdev.service"), result.status == 0 else {
            throw CommandFailure(
                .other, "`systemctl --user \(verb) cdev.service` failed; see `journalctl --user -u cdev`")
        }
    }

    private func systemctl(_ words: String...) -> ChildProcess? {
        ChildProcess.run(["systemctl", "--user"] + words, environment: environment, seconds: 30)
    }
}
