import Text

/// The programs of coding agents, by which a process of an agent is recognised whatever its variables say. No other list of
/// them exists.
package enum AgentPrograms {
    private static let names: Set<String> = [
        "claude", "codex", "copilot", "cursor-agent", "gemini", "grok", "opencode", "qwen",
    ]

    /// The npm packages of those that are scripts, as their paths have them.
    private static let packages = [
        "@anthropic-ai/claude-code/", "@github/copilot/", "@google/gemini-cli/", "@openai/codex/",
        "@qwen-code/qwen-code/",
    ]

    /// These run such scripts. The script is the first word that is no option.
    private static let runtimes: Set<String> = ["bun", "deno", "node", "nodejs"]

    /// Returns true for a process of an agent.
    /// - Parameters:
    ///   - name: The name that the kernel has of the process (`comm`), empty if it is unknown.
    ///   - file: The path of its executable as the kernel has it, empty if it is unknown.
    ///   - words: Its command line, or the beginning of it.
    package static func include(name: String, file: String, words: [String]) -> Bool {
        if names.contains(name) || isProgram(file) || words.first.map(isProgram) ?? false { return true }
        guard runtimes.contains(last(of: file)) || words.first.map({ runtimes.contains(last(of: $0)) }) ?? false else {
            return false
        }
        return words.dropFirst().first { !$0.hasPrefix("-") }.map(isProgram) ?? false
    }

    private static func isProgram(_ path: String) -> Bool {
        // The kernel says so of a file that was replaced while it runs, as by an update.
        let path = path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path
        if names.contains(last(of: path)) || packages.contains(where: { path.holds($0) }) { return true }
        // Claude Code's installer names the file by its version: `claude/versions/2.1.330`.
        let parts = path.split(separator: "/").suffix(3)
        return parts.count == 3 && parts.dropFirst().first == "versions" && names.contains(String(parts.first!))
    }

    private static func last(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
}
