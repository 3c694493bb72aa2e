/// The paths of Claude Code's settings.
package enum SettingsLocation {
    /// Settings that an administrator sets for all users of the machine.
    package static let managed = "/etc/claude-code/managed-settings.json"

    /// What `CLAUDE_CONFIG_DIR` names; `nil` where it is not set, and they are in `~/.claude`.
    package static func directory(environment: [String: String]) -> String? {
        environment["CLAUDE_CONFIG_DIR"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Parameters:
    ///   - option: The value of `--settings`.
    ///   - environment: The process's environment: `CLAUDE_CONFIG_DIR` counts, else `HOME`. Empty values count as
    ///     unset.
    package static func path(option: String?, environment: [String: String]) throws(InstallError) -> String {
        if let option { return option }
        if let directory = directory(environment: environment) { return directory + "/settings.json" }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.claude/settings.json" }
        throw .unknownHome
    }
}
