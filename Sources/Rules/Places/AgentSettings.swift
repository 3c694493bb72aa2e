import OrderedJSON
import Text

/// What Claude Code starts by itself in a project, without a question: hooks, the status line, servers.
enum AgentSettings {
    private static let files = [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"]
    /// A larger one is not read, and may name any file.
    private static let longest = 262_144

    /// True where settings of the project have a word that ends in the file's name.
    static func start(_ path: Substring.UTF8View, below root: SessionRoot) -> Bool {
        guard let name = PathText.components(path).last.map({ SensitiveNames.folded($0) }) else { return false }
        return files.contains { file in
            let settings = PathText.join(root.resolved.path, file)
            guard root.disk.kind(of: settings) == .file else { return false }
            guard let text = root.disk.text(of: settings, limit: longest) else { return true }
            return words(of: text).contains { SensitiveNames.folded($0).elementsEqual(name) }
        }
    }

    /// The last component of each word. What a rule of Claude Code's names (`permissions`) is not started.
    private static func words(of text: String) -> [Substring.UTF8View] {
        var text = text
        if var settings = try? JSON(parsing: text).objectValue {
            settings["permissions"] = nil
            text = JSON.object(settings).serialized()
        }
        return text[...].utf8.split { !ShellCharacters.isFirstWord($0) }.compactMap { PathText.components($0).last }
    }
}
