import Agents
import Core
import Daemon
import Glibc
import OrderedJSON

extension Command {
    static let install = Command(
        "install", summary: "add our hooks to Claude Code's settings",
        details: """
            The user's settings file is $CLAUDE_CONFIG_DIR/settings.json, else ~/.claude/settings.json. Only our entries
            change, every other byte stays; a backup is kept in $CDEV_HOME. Running Claude sessions notice within seconds.
            """,
        options: [
            CommandOption("--dry-run", nil, "show what would change, and change nothing"),
            CommandOption("--gate", "G", "what is held: auto, tool-call, prompt or always; written to config.json"),
            CommandOption("--home", "DIR", "in place of $CDEV_HOME"),
            CommandOption(
                "--on-failure", "F", "what Claude does while the daemon is down: continue (it asks as ever) or block"),
            CommandOption("--settings", "PATH", "another settings file"),
            CommandOption("--socket", "PATH", "in place of $CDEV_SOCKET"),
        ]
    ) { invocation in
        let places = try Places(invocation)
        let onFailure = try choice(invocation, "--on-failure", InstallOnFailure.self)
        let gate = try choice(invocation, "--gate", Policy.Gate.self)
        let isDry = invocation.has("--dry-run")
        let installer = try SettingsInstaller(settings: try places.settings(invocation), home: places.home)
        // An agent may install hooks if there are none, but not change or move installed ones.
        let changes = try gate != nil || onFailure != nil || hasOtherHooks(installer, places)
        if changes, !isDry { try ConfigurationRight.require(places) }
        // Before the hooks are written: a command that fails has changed nothing.
        let configuration = if let gate { try checked(gate, places) } else { [UInt8]() }
        let report = try installer.install(
            templates: .shipped, relay: try places.relay(), socket: places.socket, onFailure: onFailure, dryRun: isDry)
        Terminal.write(InstallReport.text(report, isDry: isDry, verb: "install"))
        if let gate { try write(gate, configuration, places, isDry: isDry) }
        if !isDry { try noteClaude(places, invocation) }
    }

    static let uninstall = Command(
        "uninstall", summary: "take our hooks out of Claude Code's settings",
        details:
            "The file is left as if we had never been there. A daemon that runs with --install-hooks leaves it so.",
        options: [
            CommandOption("--dry-run", nil, "show what would change, and change nothing"),
            CommandOption("--home", "DIR", "in place of $CDEV_HOME"),
            CommandOption("--settings", "PATH", "another settings file"),
        ]
    ) { invocation in
        let places = try Places(invocation)
        let installer = try SettingsInstaller(settings: try places.settings(invocation), home: places.home)
        let isDry = invocation.has("--dry-run")
        if !isDry { try ConfigurationRight.require(places) }
        let report = try installer.uninstall(dryRun: isDry)
        Terminal.write(InstallReport.text(report, isDry: isDry, verb: "uninstall"))
    }

    /// True if this installation would change installed hooks or scripts: the change may lead them to another daemon.
    private static func hasOtherHooks(_ installer: SettingsInstaller, _ places: Places) throws(CommandFailure) -> Bool {
        let relay = try places.relay()
        let status = try? installer.status(templates: .shipped, relay: relay, socket: places.socket)
        // The scripts are those of every settings file.
        let hasScripts = access(InstallScripts.directory(in: places.home) + "/permission.sh", F_OK) == 0
        guard hasScripts || (status.map { $0.state != .notInstalled } ?? false) else { return false }
        let report = try? installer.install(
            templates: .shipped, relay: relay, socket: places.socket, onFailure: nil, dryRun: true)
        guard let report else { return true }
        return status?.state == .notInstalled ? !report.scripts.isEmpty : !report.isUnchanged
    }

    /// The text of `config.json` with this gate; throws if no daemon could start with it.
    private static func checked(_ gate: Policy.Gate, _ places: Places) throws(CommandFailure) -> [UInt8] {
        let file = ConfigurationFile(home: places.home)
        let text = try file.changed("gate", .string(gate.rawValue))
        try file.check(text)
        return text
    }

    /// Writes down which Claude Code is found here, for sessions that the daemon runs. Not inside an agent, which could set
    /// its PATH to another program.
    private static func noteClaude(_ places: Places, _ invocation: Invocation) throws {
        guard let directories = invocation.environment["PATH"],
            FoundClaude.changes(home: places.home, directories: directories),
            (try? ConfigurationRight.require(places)) != nil
        else { return }
        _ = try FoundClaude.note(home: places.home, directories: directories)
    }

    private static func write(
        _ gate: Policy.Gate, _ configuration: [UInt8], _ places: Places, isDry: Bool
    ) throws(CommandFailure) {
        guard !isDry else { return Terminal.write("gate \(gate.rawValue) would be written to config.json\n") }
        try ConfigurationFile(home: places.home).replace(configuration)
        let isUp = (try? places.client.call("status/health")) != nil
        let hint = isUp ? "; the daemon reads it when it starts: `cdev restart`" : ""
        Terminal.write("gate \(gate.rawValue) written to config.json\(hint)\n")
    }

    private static func choice<Value: RawRepresentable & CaseIterable>(
        _ invocation: Invocation, _ option: String, _ type: Value.Type
    ) throws(CommandFailure) -> Value? where Value.RawValue == String {
        guard let text = invocation[option] else { return nil }
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("\(option) is one of \(allowed), not `\(text.shown(40))`", invocation.command)
        }
        return value
    }
}

extension InstallScripts.Templates {
    static var shipped: Self {
        Self(permission: HookScripts.permission, forward: HookScripts.forward)
    }
}

/// The report of an installation, as text.
enum InstallReport {
    static func text(_ report: SettingsInstaller.Report, isDry: Bool, verb: String) -> String {
        if report.isUnchanged { return "\(report.settings): nothing to \(verb), all is as it should be\n" }
        if isDry {
            return (report.diff.isEmpty ? "" : report.diff) + report.scripts.map { "would write \($0)\n" }.joined()
        }
        var text = "\(report.settings)\n"
        text += report.changes.map { "  \($0)\n" }.joined()
        text += report.scripts.map { "  wrote \($0)\n" }.joined()
        if let backup = report.backup { text += "  the file as it was: \(backup)\n" }
        return text
    }
}
