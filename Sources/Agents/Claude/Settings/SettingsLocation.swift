/// The paths of Claude Code's settings.
package enum SettingsLocation {
    /// Settings that an administrator sets for all users of the machine.
    package static let managed = "/etc/claude-code/managed-settings.json"

    /// - Parameters:
    ///   - option: The value of `--settings`.
    ///   - environment: The process's environment: `CLAUDE_CONFIG_DIR` counts, else `HOME`. Empty values count as
    ///     unset.
    package static func path(option: String?, environment: [String: String]) throws(InstallError) -> String {
        if let option { return option }
        if let directory = environment["CLAUDE_CONFIG_DIR"], !directory.isEmpty { return directory + "/settings.json" }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.claude/settings.json" }
        throw .unknownHome
    }
}
