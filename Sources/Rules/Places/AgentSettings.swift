import OrderedJSON
import Text

/// The programs that Claude Code starts by itself in a project, without a question: hooks, the status line, servers, and
/// what agents, commands and skills have it start.
struct AgentSettings {
    private static let files = [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"]
    /// The user's own.
    private static let userFiles = ["settings.json", "settings.local.json"]
    private static let instructions = [".claude/agents", ".claude/commands", ".claude/skills"]
    /// The most files of instructions that are read; beyond them they may name any file.
    private static let mostInstructions = 64
    /// A larger one is not read, and may name any file.
    private static let longest = DiskLookups.longestManifest

    /// What shells could read as words, case folded and without quotation.
    private var texts: [[UInt8]] = []
    /// The components of each plain word in `texts`.
    private var words: [[ArraySlice<UInt8>]] = []
    /// A file was not read, so that any file may be started.
    private var startsAny = false

    init(_ root: SessionRoot) {
        for file in Self.files { take(PathText.join(root.resolved.path, file), root, Self.settings) }
        for directory in root.context.agentDirectories {
            for file in Self.userFiles { take(PathText.join(directory, file), root, Self.settings) }
        }
        for directory in Self.instructions { takeAll(in: PathText.join(root.resolved.path, directory), root) }
        words = texts.flatMap { text in
            text.split { !ShellCharacters.isFirstWord($0) }.map { word in
                word.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
            }
        }
    }

    /// True if a word ends in the file's name, or in its path without a suffix.
    func start(_ path: Substring.UTF8View) -> Bool {
        let parts = PathText.components(path).map { SensitiveNames.folded($0) }
        guard !startsAny, let name = parts.last else { return startsAny }
        // node and others are given a file without its suffix: `tools/status`.
        let stem = Array(parts.dropLast()) + [Array(name.prefix { $0 != UInt8(ascii: ".") })]
        return words.contains { $0.last?.elementsEqual(name) == true || Self.word($0, ends: stem) }
            || [name, Array(stem.suffix(2).joined(separator: "/".utf8))].contains(where: mayHoldUnusual)
    }

    private static func word(_ word: [ArraySlice<UInt8>], ends stem: [[UInt8]]) -> Bool {
        word.count > 1 && stem.count >= word.count
            && zip(stem.suffix(word.count), word).allSatisfy { $0.elementsEqual($1) }
    }

    /// True if a text may hold this end of a path, whose bytes are not all of words. Shells quote such bytes in many ways,
    /// so it is looked for anywhere, and a letter beyond ASCII, which may be composed in several ways, may be any other.
    private func mayHoldUnusual(_ end: [UInt8]) -> Bool {
        guard !end.allSatisfy(ShellCharacters.isFirstWord) else { return false }
        let hasLetters = end.contains { $0 >= 0x80 }
        return texts.contains { $0.firstPlace(of: end) != nil || hasLetters && $0.contains { $0 >= 0x80 } }
    }
}

// MARK: - Reading

extension AgentSettings {
    private mutating func take(_ path: String, _ root: SessionRoot, _ part: (String) -> String) {
        guard root.disk.kind(of: path) == .file else { return }
        guard let text = root.disk.text(of: path, limit: Self.longest) else {
            startsAny = true
            return
        }
        let quotes = Array("\"'\\".utf8)
        texts.append(SensitiveNames.folded(part(text).utf8.filter { !quotes.contains($0) }))
    }

    /// Takes the Markdown files of a directory and of those directly in it.
    private mutating func takeAll(in directory: String, _ root: SessionRoot) {
        guard root.disk.kind(of: directory) == .directory else { return }
        var left = Self.mostInstructions
        var directories = [directory]
        while let next = directories.popLast() {
            guard let entries = root.disk.entries(in: next, atMost: left) else {
                startsAny = true
                return
            }
            left -= entries.count
            for entry in entries {
                let path = PathText.join(next, entry.name)
                if entry.name.hasSuffix(".md") {
                    take(path, root, Self.started)
                } else if entry.kind != .other, PathText.same(next, directory), root.disk.kind(of: path) == .directory {
                    directories.append(path)
                }
            }
        }
    }

    /// The texts of settings. What a rule of Claude Code's names (`permissions`) is not started.
    private static func settings(_ text: String) -> String {
        guard var settings = try? JSON(parsing: text).objectValue else { return text }
        settings["permissions"] = nil
        return strings(of: .object(settings)).joined(separator: "\n")
    }

    private static func strings(of value: JSON) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(strings)
        case .object(let members): members.flatMap { strings(of: $0.value) }
        default: []
        }
    }

    /// What instructions have Claude Code start: the lines before the text, and lines with `!`.
    private static func started(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let end = lines.first == "---" ? lines.dropFirst().firstIndex(of: "---") ?? lines.count : 0
        return (lines[..<end] + lines[end...].filter { $0.utf8.contains(UInt8(ascii: "!")) }).joined(separator: "\n")
    }
}
