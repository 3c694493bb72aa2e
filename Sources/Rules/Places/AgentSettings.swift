import OrderedJSON

/// The programs that Claude Code starts by itself in a project, without a question: hooks, the status line, servers, and
/// what agents, commands and skills have it start; and the files that it reads as instructions because others import them.
struct AgentSettings {
    private static let files = [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"]
    /// The user's own.
    private static let userFiles = ["settings.json", "settings.local.json"]
    /// Commands stand in these of the user's own; of a skill, whose other files are only read, in `SKILL.md`.
    private static let userInstructions = ["agents", "commands"]
    /// An administrator's settings lie in one of these.
    private static let managed = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"]
    private static let managedFiles = ["managed-settings.json", "managed-mcp.json"]
    private static let instructions = [".claude/agents", ".claude/commands", ".claude/skills"]
    /// The most names below each of them; of more, they may start any file.
    private static let mostNames = 2000
    /// A larger one is not read, and may name any file.
    private static let longest = DiskLookups.longestManifest

    /// Instructions that it starts nothing from, in a directory and in its `.claude`.
    private static let memories = [
        "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude/CLAUDE.md", ".claude/AGENTS.md",
    ]
    private static let rules = [".claude/rules", ".claude/output-styles"]

    private(set) var texts = CommandTexts()
    private(set) var imports = ImportedInstructions()
    /// The directories and files that settings name as marketplaces of plugins.
    private(set) var marketplaces: [String] = []

    init(_ root: SessionRoot) {
        for directory in Self.above(root) { takeProject(directory, root) }
        for directory in Self.all(above: root.resolved.path) { takeMemories(in: directory, root) }
        for directory in root.context.agentDirectories {
            for file in Self.userFiles { take(PathText.join(directory, file), root) }
            for file in Self.memories.prefix(3) { take(PathText.join(directory, file), root, as: .memory) }
            for name in ["rules", "output-styles"] { takeAll(in: PathText.join(directory, name), root, as: .memory) }
            takeInstructions(of: directory, root)
        }
        for directory in [root.context.home] + root.context.agentDirectories { takeServers(in: directory, root) }
        for directory in Self.managed where root.disk.kind(of: directory) == .directory {
            for file in Self.managedFiles { take(PathText.join(directory, file), root) }
        }
    }

    /// Those of directories below the root, which Claude Code finds once it reads a file there.
    init(below root: SessionRoot) {
        for directory in root.nearTree.directories where !PathText.same(directory.path, root.resolved.path) {
            if directory.directories.contains(".claude") {
                takeProject(directory.path, root)
                takeMemories(in: directory.path, root)
            } else if directory.hasInstructions {
                takeMemories(in: directory.path, root)
            }
        }
        for directory in root.nearTree.directories where directory.directories.contains(AgentPlugins.mark) {
            takeInstructions(of: directory.path, root)
        }
    }

    /// The session's root and the directories above it, up to the repository's, without one up to the home directory's:
    /// there Claude Code looks too.
    static func above(_ root: SessionRoot) -> [String] {
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

    /// The directory and all above it: in each of them Claude Code looks for its instructions.
    private static func all(above directory: String) -> [String] {
        var found = [directory]
        while let last = found.last, !PathText.same(last, "/"), found.count < WrittenNames.mostComponents {
            found.append(PathText.directory(of: last))
        }
        return found
    }

    /// True if the agent may start the file, or read it as instructions.
    /// - Parameters:
    ///   - path: relative to the root if the file lies below it.
    ///   - absolute: the same file's.
    func use(_ path: Substring.UTF8View, at absolute: String) -> Bool {
        texts.start(path) || imports.contain(absolute)
    }
}

// MARK: - Reading

extension AgentSettings {
    private enum Use {
        /// A file of settings, which consists of commands.
        case settings
        /// Prose, in parts of which commands stand.
        case instructions
        /// Prose from which nothing is started.
        case memory
    }

    private mutating func takeProject(_ directory: String, _ root: SessionRoot) {
        for file in Self.files { take(PathText.join(directory, file), root) }
        for name in Self.instructions { takeAll(in: PathText.join(directory, name), root, as: .instructions) }
        for name in Self.rules { takeAll(in: PathText.join(directory, name), root, as: .memory) }
    }

    /// Takes those of the user's own directory, or of a plugin.
    private mutating func takeInstructions(of directory: String, _ root: SessionRoot) {
        for name in Self.userInstructions { takeAll(in: PathText.join(directory, name), root, as: .instructions) }
        let skills = PathText.join(directory, "skills")
        guard root.disk.kind(of: skills) == .directory else { return }
        guard let entries = root.disk.entries(in: skills, atMost: Self.mostNames) else {
            texts.startsAny = true
            return
        }
        for entry in entries where entry.kind != .other {
            take(PathText.join(skills, entry.name + "/SKILL.md"), root, as: .instructions)
        }
    }

    private mutating func takeServers(in directory: String, _ root: SessionRoot) {
        let path = PathText.join(directory, AgentServers.file)
        guard root.disk.kind(of: path) == .file else { return }
        guard let text = root.disk.text(of: path, limit: AgentServers.longest, isOnlySearched: true) else {
            texts.startsAny = true
            return
        }
        for servers in AgentServers.all(in: text) { texts.add(servers, isOfCommands: true) }
    }

    private mutating func takeMemories(in directory: String, _ root: SessionRoot) {
        for file in Self.memories { take(PathText.join(directory, file), root, as: .memory) }
    }

    private mutating func take(_ path: String, _ root: SessionRoot, as use: Use = .settings) {
        guard root.disk.kind(of: path) == .file else { return }
        guard let text = root.disk.text(of: path, limit: Self.longest) else {
            texts.startsAny = true
            return
        }
        switch use {
        case .settings:
            let settings = Self.settings(text)
            texts.add(settings.map(Self.lines) ?? Array(text.utf8), isOfCommands: true)
            takeMarketplaces(settings, of: path, root)
        case .instructions:
            let instructions = AgentInstructions(text)
            if instructions.isEscaped { texts.startsAny = true }
            texts.add(instructions.started, isOfCommands: false)
        case .memory: break
        }
        if use != .settings { imports.take(text, of: path, on: root) }
    }

    /// Takes the Markdown files below a directory. Links to directories are followed, as often as the limit lets them.
    private mutating func takeAll(in directory: String, _ root: SessionRoot, as use: Use) {
        guard root.disk.kind(of: directory) == .directory else { return }
        var left = Self.mostNames
        var directories = [directory]
        while let next = directories.popLast() {
            guard let entries = root.disk.entries(in: next, atMost: left) else {
                texts.startsAny = true
                return
            }
            left -= entries.count
            for entry in entries {
                let path = PathText.join(next, entry.name)
                if entry.name.lowercased().hasSuffix(".md") {
                    take(path, root, as: use)
                } else if entry.kind != .other, root.disk.kind(of: path) == .directory {
                    directories.append(path)
                }
            }
        }
    }

    /// Paths count from the directory in which Claude Code was started.
    private mutating func takeMarketplaces(_ settings: JSON?, of file: String, _ root: SessionRoot) {
        guard let known = settings?["extraKnownMarketplaces"] else { return }
        // Plugins may be listed in the settings themselves.
        let sources = AgentPlugins.values(of: ["source"], in: known).filter { $0.utf8.first == UInt8(ascii: ".") }
        let paths = AgentPlugins.values(of: ["path"], in: known) + sources
        let above = PathText.directory(of: PathText.directory(of: file))
        for directory in Set([above, root.resolved.path]) {
            marketplaces += paths.map { GitEntries.place($0, from: directory, home: root.context.home) }
        }
    }

    /// The settings; nil where they cannot be parsed. What a rule of Claude Code's names (`permissions`) is not started.
    private static func settings(_ text: String) -> JSON? {
        guard var settings = try? JSON(parsing: withoutMark(text)).objectValue else { return nil }
        settings["permissions"] = nil
        return .object(settings)
    }

    /// The text without a mark of the byte order.
    static func withoutMark(_ text: String) -> String {
        text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// All texts in a value, each on a line; a command with its arguments, and with its directory, on one.
    static func lines(of value: JSON) -> [UInt8] {
        strings(of: value).flatMap { Array($0.utf8) + [0x0A] }
    }

    private static func strings(of value: JSON) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(strings)
        case .object(let members):
            if let command = command(in: value) {
                [command]
                    + members.filter { !ofCommands.contains($0.key) }.flatMap { strings(of: $0.value, named: $0.key) }
            } else {
                members.flatMap { strings(of: $0.value, named: $0.key) }
            }
        default: []
        }
    }

    private static func strings(of value: JSON, named name: String) -> [String] {
        guard name == "env", let variables = value.objectValue else { return strings(of: value) }
        return variables.map { $0.key + "=" + ($0.value.stringValue ?? "") }
    }

    private static let ofCommands: Set<String> = ["args", "command", "cwd"]

    private static func command(in object: JSON) -> String? {
        guard let command = object["command"]?.stringValue, let arguments = object["args"]?.arrayValue else {
            return nil
        }
        let line = ([command] + arguments.compactMap(\.stringValue)).joined(separator: " ")
        return object["cwd"]?.stringValue.map { "cd " + $0 + " && " + line } ?? line
    }
}
