package import Core
import Glibc
import Platform

/// An agent on this machine that runs the hooks of Claude Code's settings as well.
package struct SettingsReader: Sendable, Hashable {
    package let agent: Agent
    /// True if the agent's own settings tell it not to run them.
    package let isOff: Bool
    /// A sentence on making the agent stop running them.
    package let remedy: String

    /// - Parameters:
    ///   - settings: The file that has our hooks. Other agents read only the one in the home directory, whatever
    ///     `CLAUDE_CONFIG_DIR` says (Grok 0.2.111).
    package static func all(of settings: String, environment: [String: String]) -> [SettingsReader] {
        guard let home = environment["HOME"], home.hasPrefix("/"), settings == home + "/.claude/settings.json" else {
            return []
        }
        return [grok(home, environment), cursor(home)].compactMap { $0 }
    }

    private static func grok(_ home: String, _ environment: [String: String]) -> SettingsReader? {
        let own = environment["GROK_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.grok"
        guard isDirectory(own) else { return nil }
        let config = FileBytes.read(own + "/config.toml", limit: 1 << 20) ?? []
        return SettingsReader(
            agent: .grok, isOff: isOff("hooks", in: "compat.claude", String(decoding: config, as: UTF8.self)),
            remedy: "to keep it away: [compat.claude] and below it hooks = false in \(own)/config.toml")
    }

    private static func cursor(_ home: String) -> SettingsReader? {
        guard isDirectory(home + "/.cursor") else { return nil }
        return SettingsReader(
            agent: .cursor, isOff: false, remedy: "to keep it away: switch off third-party hooks in Cursor's settings")
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// True if a TOML text sets `key` to false in a table. Understands only the simple forms that people write there;
    /// in any other form the setting counts as on.
    static func isOff(_ key: String, in table: String, _ toml: String) -> Bool {
        var current = ""
        for line in toml.split(whereSeparator: \.isNewline) {
            let text = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" }
            if text.hasPrefix("[") { current = String(text.dropFirst().prefix { $0 != "]" }) }
            let name = current.isEmpty ? table + "." + key : key
            if current == table || current.isEmpty, text == name + "=false" { return true }
        }
        return false
    }
}
