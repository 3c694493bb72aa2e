import Agents
import Core
import Daemon
import Glibc
import Host
import Platform
import Rules

extension Command {
    static let serve = Command(
        "serve", summary: "run the daemon in the foreground",
        details:
            "Prints one line when it can be reached. SIGTERM and SIGINT stop it; held calls look for its successor.",
        options: [
            CommandOption(
                "--again", nil, "in the environment of the last `cdev start`, as `cdev start --again`; only with --home"
            ),
            CommandOption("--check", nil, "do not start; fail if config.json cannot be read or the port is taken"),
            CommandOption("--home", "DIR", "in place of $CDEV_HOME"),
            CommandOption("--host", "ADDRESS", "where HTTP and WebSocket listen; 127.0.0.1 unless told"),
            CommandOption("--insecure", nil, "listen beyond this machine even without TLS"),
            CommandOption("--install-hooks", nil, "install or repair the hooks once it can be reached"),
            CommandOption("--log-level", "L", "debug, info, warning or error"),
            CommandOption("--permission-timeout", "S", "seconds a call is held; 60 unless told"),
            CommandOption("--port", "N", "8766 unless told; 0 for a free one"),
            CommandOption("--socket", "PATH", "in place of $CDEV_SOCKET"),
        ]
    ) { called in
        let invocation = called.has("--again") ? try again(called) : called
        let places = try Places(invocation)
        // A daemon of an agent's own would have the home, the ports and the answers that the agent chose.
        if !called.has("--again"), !called.has("--check") { try ConfigurationRight.require(places) }
        var options = ServeOptions(home: places.home, socket: places.socket, hooks: try hooks(invocation, places))
        options.host = invocation["--host"]
        options.isInsecure = invocation.has("--insecure")
        options.port = try number(invocation, "--port", "a port from 0 to 65535", UInt16.init)
        options.permissionTimeout = try number(invocation, "--permission-timeout", "a number of seconds", Double.init)
        options.logLevel =
            try number(invocation, "--log-level", "debug, info, warning or error", LogLevel.init) ?? .info
        let status =
            invocation.has("--check")
            ? ForegroundDaemon.check(options)
            : ForegroundDaemon.run(options, evaluator: try evaluator(invocation, places))
        if status != 0 { exit(status) }
    }

    /// The relay starts the daemon again from inside an agent, so nothing of the caller but the home counts then.
    private static func again(_ called: Invocation) throws(CommandFailure) -> Invocation {
        guard called.options.keys.allSatisfy({ ["--again", "--home"].contains($0) }) else {
            throw .usage("--again takes no option but --home", called.command)
        }
        let invocation = try KeptStart.invocation(called)
        clearenv()
        for (name, value) in invocation.environment { setenv(name, value, 1) }
        return invocation
    }

    private static func hooks(_ invocation: Invocation, _ places: Places) throws(CommandFailure) -> HookInstallation {
        HookInstallation(
            settings: try places.settings(invocation), relay: try places.relay(), templates: .shipped,
            installs: invocation.has("--install-hooks"))
    }

    private static func evaluator(_ invocation: Invocation, _ places: Places) throws(CommandFailure) -> EngineEvaluator
    {
        do {
            let commands = try UserCommands.table(home: places.home)
            return EngineEvaluator(
                paths: DiskPaths(), commands: commands, home: invocation.environment["HOME"] ?? "/",
                agentDirectory: SettingsLocation.directory(environment: invocation.environment),
                ownGitFiles: GitVariables.files(environment: invocation.environment))
        } catch {
            throw CommandFailure(.other, error.description)
        }
    }

    private static func number<Value>(
        _ invocation: Invocation, _ option: String, _ wanted: String, _ read: (String) -> Value?
    ) throws(CommandFailure) -> Value? {
        guard let text = invocation[option] else { return nil }
        guard let value = read(text) else {
            throw .usage("\(option) is \(wanted), not `\(text.shown(40))`", invocation.command)
        }
        return value
    }
}
