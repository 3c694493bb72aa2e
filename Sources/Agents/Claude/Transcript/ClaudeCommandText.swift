import Text

/// Commands that a person gave to Claude Code itself, such as `/model`: it writes them down as prompts, with tags.
package enum ClaudeCommandText {
    /// The command as it was typed; empty for what it printed, `nil` for other texts.
    package static func command(in text: String) -> String? {
        guard text.hasPrefix("<command-") || text.hasPrefix("<local-command-") else { return nil }
        guard let name = text.inside("command-name") else { return "" }
        let arguments = text.inside("command-args") ?? ""
        return arguments.isEmpty ? name : "\(name) \(arguments)"
    }
}
