import Core
import Glibc
import Host
import OrderedJSON
import Platform

extension Command {
    static let start = Command(
        "start", summary: "start the daemon in the background",
        details: "As the systemd user service where that is installed, else as a process of its own.",
        options: [CommandOption("--home", "DIR", "in place of $CDEV_HOME")]
    ) { invocation in
        let places = try Places(invocation)
        if let status = try running(places) {
            return Terminal.write("already running: pid \(status.text("pid")), log \(status.text("log"))\n")
        }
        if let service = UserService(invocation.environment, home: places.home) {
            try service.start()
        } else {
            try launch(invocation, places)
        }
        let status = try waitUntilUp(places)
        Terminal.write("cdev runs: pid \(status.text("pid")), log \(places.log)\n")
        if ["not-installed", "outdated", "unreadable"].contains(status["hooks"]?.text("state")) {
            Terminal.write("its hooks are not in Claude Code's settings as they should be: `cdev install`\n")
        }
    }

    static let stop = Command(
        "stop", summary: "stop the daemon",
        details: "Held calls look for it for five seconds; start it again within them and nothing is lost.",
        options: [CommandOption("--home", "DIR", "in place of $CDEV_HOME")]
    ) { invocation in
        let places = try Places(invocation)
        let status = try places.client.call("status/get")
        try GateSetting.requirePermission(places)
        guard let pid = status["pid"]?.intValue, pid > 1 else {
            throw CommandFailure(.other, "the daemon did not tell its pid")
        }
        if let service = UserService(invocation.environment, home: places.home), service.isActive {
            try service.stop()
        } else if kill(pid_t(pid), SIGTERM) != 0 {
            throw CommandFailure(.other, "pid \(pid) could not be stopped: \(SystemError.last)")
        }
        try waitUntilGone(pid_t(pid))
        Terminal.write("cdev has stopped; its log is \(places.log)\n")
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

    private static func launch(_ invocation: Invocation, _ places: Places) throws(CommandFailure) {
        guard let program = Executable.path else { throw CommandFailure(.other, "this program's own path is unknown") }
        mkdir(places.home, 0o700)
        let words = [program, "serve", "--home", places.home]
        // Without the agent's variables: a daemon that is started inside an agent is no part of the agent, and neither
        // are its child processes.
        let environment = AgentMarks.removed(from: invocation.environment)
            .filter { !$0.key.hasPrefix("CLAUDE_CODE") }
        guard ChildProcess.detach(words, environment: environment, log: places.home + "/start.log") != nil else {
            throw CommandFailure(.other, "\(program) could not be started: \(SystemError.last)")
        }
    }

    private static func waitUntilUp(_ places: Places) throws(CommandFailure) -> JSON {
        let deadline = SystemTime.awake + 10_000
        while SystemTime.awake < deadline {
            if let status = try? places.client.call("status/get") { return status }
            usleep(50_000)
        }
        let said =
            FileBytes.read(places.home + "/start.log", limit: 1 << 20)
            .map { String(decoding: $0.suffix(600), as: UTF8.self).split(separator: "\n").last ?? "" } ?? ""
        // On a full disk both files are empty.
        let elsewhere = "see \(places.log), or run `cdev serve` to be told why"
        throw CommandFailure(
            .noDaemon, "the daemon did not come up within 10 s: \(said.isEmpty ? elsewhere : String(said))")
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

    init?(_ environment: [String: String], home: String) {
        self.environment = environment
        guard let user = environment["HOME"], home == user + "/.cdev" else { return nil }
        let config = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? user + "/.config"
        guard access(config + "/systemd/user/cdev.service", F_OK) == 0, runsHere else { return nil }
    }

    /// True if systemctl works. In a chroot every systemctl command succeeds and does nothing: only its output shows
    /// the difference.
    private var runsHere: Bool {
        guard let shown = systemctl("show-environment") else { return false }
        return shown.status == 0 && !shown.output.isEmpty
    }

    var isActive: Bool { systemctl("is-active", "cdev.service")?.status == 0 }

    func start() throws(CommandFailure) { try must("start") }

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
