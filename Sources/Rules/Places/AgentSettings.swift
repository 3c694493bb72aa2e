import OrderedJSON
import Text

/// The programs that Claude Code starts by itself in a project, without a question: hooks, the status line, servers.
enum AgentSettings {
    private static let files = [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"]
    /// A larger one is not read, and may name any file.
    private static let longest = DiskLookups.longestManifest

    /// True where settings of the project have a word that ends in the file's name, or in its path without a suffix.
    static func start(_ path: Substring.UTF8View, below root: SessionRoot) -> Bool {
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        guard let name = parts.last else { return false }
        // node and others are given a file without its suffix: `tools/status`.
        let stem = Array(parts.dropLast()) + [Array(name.prefix { $0 != UInt8(ascii: ".") })]
        return files.contains { file in
            let settings = PathText.join(root.resolved.path, file)
            guard root.disk.kind(of: settings) == .file else { return false }
            guard let text = root.disk.text(of: settings, limit: longest) else { return true }
            return words(of: text).contains { word in
                let word = word.map { SensitiveNames.folded($0) }
                return word.last == name || word.count > 1 && stem.suffix(word.count).elementsEqual(word)
            }
        }
    }

    /// The components of each word. What a rule of Claude Code's names (`permissions`) is not started.
    private static func words(of text: String) -> [[Substring.UTF8View]] {
        var text = text
        if var settings = try? JSON(parsing: text).objectValue {
            settings["permissions"] = nil
            text = JSON.object(settings).serialized()
        }
        return text[...].utf8.split { !ShellCharacters.isFirstWord($0) }.map { word in
            PathText.components(word).filter { !$0.elementsEqual(".".utf8) }
        }
    }
}
