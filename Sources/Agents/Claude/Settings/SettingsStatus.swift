/// The state of our hooks in a settings file, and other problems that keep them from working.
package struct SettingsStatus: Sendable {
    package enum State: String, Sendable {
        /// All hooks are as this version installs them.
        case installed
        /// Some hooks are missing or differ.
        case outdated
        case notInstalled = "not-installed"
        /// The file cannot be read, or has content whose meaning we do not know.
        case unreadable
    }

    package struct Problem: Sendable, Hashable {
        package let message: String
        package let remedy: String
    }

    /// The settings file, links resolved.
    package let settings: String
    package let state: State
    /// Events without an entry of ours; sorted.
    package let missing: [String]
    /// Events whose entry is not as this version installs it; sorted.
    package let outdated: [String]
    /// True if the user uninstalled the hooks: then only the user installs them again.
    package let wasUninstalledByUser: Bool
    /// In the order in which they should be fixed.
    package let problems: [Problem]
}

extension SettingsInstaller {
    /// Checks the hooks; changes nothing.
    /// - Parameters:
    ///   - templates, relay, socket: As for `install`.
    ///   - managed: The administrator's settings.
    ///   - projects: Further settings files that Claude Code reads beside this one, such as a project's.
    package func status(
        templates: InstallScripts.Templates, relay: String, socket: String,
        managed: String = SettingsLocation.managed, projects: [String] = []
    ) throws(InstallError) -> SettingsStatus {
        let record = try InstallManifest.load(from: home).records[settings]
        let onFailure = record?.onFailure ?? .continue
        let target = InstallTarget(scripts: InstallScripts.directory(in: home), onFailure: onFailure)
        let scripts = try InstallScripts(templates, relay: relay, socket: socket, onFailure: onFailure)
        var check = SettingsCheck(path: settings, target: target)
        check.readSettings()
        if check.hasEntries || record?.isInstalled == true { try check.look(at: scripts, in: home, relay: relay) }
        check.look(atManaged: managed)
        for path in projects { check.look(atProject: path) }
        return SettingsStatus(
            settings: settings, state: check.state, missing: check.missing, outdated: check.outdated,
            wasUninstalledByUser: record?.isInstalled == false, problems: check.problems)
    }
}
