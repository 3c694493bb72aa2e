package import OrderedJSON
package import Platform

/// The files of Claude Code's hooks, and whether the daemon installs them.
package struct HookInstallation: Sendable {
    /// Claude Code's settings file of the user.
    package var settings: String
    /// `cdev-hook`.
    package var relay: String
    package var templates: InstallScripts.Templates
    /// True if the daemon installs or repairs the hooks once it can be reached.
    package var installs: Bool

    package init(settings: String, relay: String, templates: InstallScripts.Templates, installs: Bool) {
        self.settings = settings
        self.relay = relay
        self.templates = templates
        self.installs = installs
    }
}

/// Checks the hooks in Claude Code's settings, and installs or repairs them if configured to. Reads and writes files,
/// so only `description` may be used on the loop's thread.
package final class HookKeeper: Sendable {
    private let hooks: HookInstallation?
    private let home: String
    private let socket: String
    private let log: ServerLog
    private let known = Locked<JSON>(["state": "unknown"])

    /// - Parameters:
    ///   - hooks: Nil if the daemon does not know Claude's settings.
    ///   - home: The daemon's home directory.
    ///   - socket: Path of the socket at which the relay finds the daemon.
    package init(_ hooks: HookInstallation?, home: String, socket: String, log: ServerLog) {
        self.hooks = hooks
        self.home = home
        self.socket = socket
        self.log = log
    }

    /// The result of the last check: `state`, and further members that depend on it.
    package var description: JSON { known.withLock { $0 } }

    /// Installs if configured to, and checks. To be called once, when the daemon can be reached.
    package func begin() {
        guard let hooks else { return }
        if hooks.installs { install(hooks) }
        look()
        if !hooks.installs { say(hooks) }
    }

    /// Logs if the hooks are installed: a warning if they are not and the user did not uninstall them.
    private func say(_ hooks: HookInstallation) {
        let state = description["state"]?.stringValue ?? ""
        if state == "installed" { return log.info("hooks are installed", ["settings": hooks.settings]) }
        let fields: KeyValuePairs = ["state": state, "settings": hooks.settings, "remedy": "cdev install"]
        if description["uninstalled_by_user"] == true {
            log.info("hooks are not installed", fields)
        } else {
            log.warning("hooks are not installed, or not as they should be", fields)
        }
    }

    /// The result of a check made now, off the loop's thread: the last one may be a minute old.
    package func seen() async -> JSON {
        await Task.detached { self.look() }.value
        return description
    }

    package func look() {
        guard let hooks else { return }
        do throws(InstallError) {
            let installer = try SettingsInstaller(settings: hooks.settings, home: home)
            let status = try installer.status(templates: hooks.templates, relay: hooks.relay, socket: socket)
            let problems = status.problems.map {
                JSON.object(["problem": .string($0.message), "remedy": .string($0.remedy)])
            }
            known.withLock {
                $0 = [
                    "state": .string(status.state.rawValue), "settings": .string(status.settings),
                    "problems": .array(problems), "uninstalled_by_user": .bool(status.wasUninstalledByUser),
                ]
            }
        } catch {
            known.withLock {
                $0 = ["state": "unreadable", "settings": .string(hooks.settings), "problem": .string("\(error)")]
            }
        }
    }

    private func install(_ hooks: HookInstallation) {
        do throws(InstallError) {
            let installer = try SettingsInstaller(settings: hooks.settings, home: home)
            let report = try installer.installIfWanted(
                templates: hooks.templates, relay: hooks.relay, socket: socket)
            guard let report else {
                return log.info("hooks were uninstalled by the user and stay so", ["settings": hooks.settings])
            }
            if !report.isUnchanged { log.info("hooks installed", ["settings": report.settings]) }
        } catch {
            log.error("hooks could not be installed: \(error)", ["settings": hooks.settings])
        }
    }
}
