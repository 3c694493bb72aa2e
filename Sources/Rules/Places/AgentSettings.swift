import OrderedJSON
import Text

/// The programs that Claude Code starts by itself in a project, without a question: hooks, the status line, servers, and
/// what agents, commands and skills have it start.
struct AgentSettings {
    private static let files = [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"]
    /// The user's own.
    private static let userFiles = ["settings.json", "settings.local.json"]
    private static let instructions = [".claude/agents", ".claude/commands", ".claude/skills"]
    /// The most names below each of them; of more, they may start any file.
    private static let mostNames = 2000
    /// A larger one is not read, and may name any file.
    private static let longest = DiskLookups.longestManifest

    private struct Text {
        /// Holds what shells could read as words, case folded and without quotation.
        let bytes: [UInt8]
        /// True for one that consists of commands, of which any word may be a file to be run; an instruction is prose.
        let isOfCommands: Bool
    }

    private var texts: [Text] = []
    /// Bytes that are looked through for each name.
    var size: Int { texts.reduce(0) { $0 + $1.bytes.count } }
    /// A file was not read, so that any file may be started.
    private var startsAny = false

    init(_ root: SessionRoot) {
        for directory in Self.above(root) { takeProject(directory, root) }
        for directory in root.context.agentDirectories {
            for file in Self.userFiles { take(PathText.join(directory, file), root) }
        }
    }

    /// Those of directories below the root, which Claude Code finds once it reads a file there.
    init(below root: SessionRoot) {
        for directory in root.nearTree.directories
        where directory.directories.contains(".claude") && !PathText.same(directory.path, root.resolved.path) {
            takeProject(directory.path, root)
        }
    }

    /// The session's root and the directories above it, up to the repository's, without one up to the home directory's:
    /// there Claude Code looks too.
    private static func above(_ root: SessionRoot) -> [String] {
        var found = [root.resolved.path]
        while let last = found.last, !PathText.same(last, root.repository ?? "/") {
            let next = PathText.directory(of: last)
            guard !PathText.same(next, last), root.repository != nil || !PathText.contains(next, root.context.home)
            else {
                break
            }
            found.append(next)
        }
        return found
    }

    /// True if a text names the file, with or without its directory, its suffix, and `index` or `__main__`.
    func start(_ path: Substring.UTF8View) -> Bool {
        guard !startsAny, let names = ScriptNames(path) else { return startsAny }
        return texts.contains { names.areIn($0.bytes, anyWord: $0.isOfCommands) }
            || names.ends.contains(where: mayHoldUnusual)
    }

    /// True if a text may hold this end of a path, whose bytes are not all of words. Shells quote such bytes in many ways,
    /// so it is looked for anywhere, and a letter beyond ASCII, which may be composed in several ways, may be any other.
    private func mayHoldUnusual(_ end: [UInt8]) -> Bool {
        guard !end.allSatisfy(ShellCharacters.isFirstWord) else { return false }
        let hasLetters = end.contains { $0 >= 0x80 }
        return texts.contains { $0.bytes.firstPlace(of: end) != nil || hasLetters && $0.bytes.contains { $0 >= 0x80 } }
    }
}

// MARK: - Reading

extension AgentSettings {
    private mutating func takeProject(_ directory: String, _ root: SessionRoot) {
        for file in Self.files { take(PathText.join(directory, file), root) }
        for name in Self.instructions { takeAll(in: PathText.join(directory, name), root) }
    }

    private mutating func take(_ path: String, _ root: SessionRoot, isOfCommands: Bool = true) {
        guard root.disk.kind(of: path) == .file else { return }
        guard let text = root.disk.text(of: path, limit: Self.longest) else {
            startsAny = true
            return
        }
        let quotes = Array("\"'\\".utf8)
        let instructions = isOfCommands ? nil : AgentInstructions(text)
        if instructions?.isEscaped == true { startsAny = true }
        let part = instructions?.started ?? Self.settings(text)
        texts.append(
            Text(
                bytes: SensitiveNames.folded(part.filter { !quotes.contains($0) }), isOfCommands: isOfCommands))
    }

    /// Takes the Markdown files below a directory. Links to directories are followed, as often as the limit lets them.
    private mutating func takeAll(in directory: String, _ root: SessionRoot) {
        guard root.disk.kind(of: directory) == .directory else { return }
        var left = Self.mostNames
        var directories = [directory]
        while let next = directories.popLast() {
            guard let entries = root.disk.entries(in: next, atMost: left) else {
                startsAny = true
                return
            }
            left -= entries.count
            for entry in entries {
                let path = PathText.join(next, entry.name)
                if entry.name.lowercased().hasSuffix(".md") {
                    take(path, root, isOfCommands: false)
                } else if entry.kind != .other, root.disk.kind(of: path) == .directory {
                    directories.append(path)
                }
            }
        }
    }

    /// The texts of settings. What a rule of Claude Code's names (`permissions`) is not started.
    private static func settings(_ text: String) -> [UInt8] {
        let plain = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        guard var settings = try? JSON(parsing: plain).objectValue else { return Array(text.utf8) }
        settings["permissions"] = nil
        return strings(of: .object(settings)).flatMap { Array($0.utf8) + [0x0A] }
    }

    private static func strings(of value: JSON) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(strings)
        case .object(let members): members.flatMap { strings(of: $0.value) }
        default: []
        }
    }
}
