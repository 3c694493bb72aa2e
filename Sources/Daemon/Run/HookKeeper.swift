import Agents
import OrderedJSON
import Platform

/// Sees to the hooks in Claude Code's settings: looks whether they are there, and installs or repairs them if told to.
/// It reads and writes files, so it is never used on the loop's thread but for `description`.
final class HookKeeper: Sendable {
    private let options: ServeOptions
    private let log: ServerLog
    private let known = Locked<JSON>(["state": "unknown"])

    init(options: ServeOptions, log: ServerLog) {
        self.options = options
        self.log = log
    }

    /// What was last seen: `state`, and then `settings`, `problems`.
    var description: JSON { known.withLock { $0 } }

    /// Once, when it can be reached.
    func begin() {
        guard let hooks = options.hooks else { return }
        if hooks.installs { install(hooks) }
        look()
        if !hooks.installs { say(hooks) }
    }

    /// Whether they are there; louder where they are not and the user did not want it so.
    private func say(_ hooks: ServeOptions.Hooks) {
        let state = description["state"]?.stringValue ?? ""
        if state == "installed" { return log.info("hooks are installed", ["settings": hooks.settings]) }
        let fields: KeyValuePairs = ["state": state, "settings": hooks.settings, "remedy": "cdev install"]
        if description["uninstalled_by_user"] == true {
            log.info("hooks are not installed", fields)
        } else {
            log.warning("hooks are not installed, or not as they should be", fields)
        }
    }

    /// Looks now, off the loop's thread: what was seen a minute ago may be over.
    func seen() async -> JSON {
        await Task.detached { self.look() }.value
        return description
    }

    func look() {
        guard let hooks = options.hooks else { return }
        do throws(InstallError) {
            let installer = try SettingsInstaller(settings: hooks.settings, home: options.home)
            let status = try installer.status(templates: hooks.templates, relay: hooks.relay, socket: options.socket)
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

    private func install(_ hooks: ServeOptions.Hooks) {
        do throws(InstallError) {
            let installer = try SettingsInstaller(settings: hooks.settings, home: options.home)
            guard try !installer.wasUninstalledByUser() else {
                return log.info("hooks were uninstalled by the user and stay so", ["settings": hooks.settings])
            }
            let report = try installer.install(templates: hooks.templates, relay: hooks.relay, socket: options.socket)
            if !report.isUnchanged { log.info("hooks installed", ["settings": report.settings]) }
        } catch {
            log.error("hooks could not be installed: \(error)", ["settings": hooks.settings])
        }
    }
}
