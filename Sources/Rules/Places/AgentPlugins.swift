import OrderedJSON

/// The plugins of Claude Code: directories with `.claude-plugin`, whose hooks and servers it starts by itself, and
/// marketplaces, which are directories of plugins.
///
/// In a plugin that lies in the project everything counts. Where the project itself is one, its sources are not all started:
/// there count the directories from which Claude Code takes what it starts, and what these name.
struct AgentPlugins {
    static let mark = ".claude-plugin"

    private(set) var texts = CommandTexts()
    /// Files and directories after links, without case: everything in them counts.
    private var places: [String] = []
    /// The same, where only what is read as instructions and scripts count.
    private var trees: [String] = []
    private var known: Set<String> = []
    private let root: SessionRoot

    /// The most plugins that are read. Of more, they may start any file.
    private static let most = 100
    private static let longest = DiskLookups.longestManifest

    /// - Parameter marketplaces: the directories and files that settings name as marketplaces.
    init(_ root: SessionRoot, marketplaces: [String]) {
        self.root = root
        for directory in AgentSettings.above(root) where isPlugin(directory) { take(directory) }
        for directory in root.context.agentDirectories { takeUsers(in: PathText.join(directory, "plugins")) }
        for marketplace in marketplaces { takeMarketplace(marketplace) }
        for directory in root.nearTree.directories where !PathText.same(directory.path, root.resolved.path) {
            if directory.directories.contains(Self.mark) {
                take(directory.path)
            } else if directory.files.contains("hooks.json"),
                directory.path.utf8.suffix(6).elementsEqual("/hooks".utf8)
            {
                // Without a manifest it is one for whoever starts Claude Code with its directory.
                takeSettings(PathText.join(directory.path, "hooks.json"))
            }
        }
    }

    /// Adds the plugins that contain the file.
    mutating func takePlugins(above path: String) {
        var directory = PathText.directory(of: path)
        while PathText.contains(root.resolved.path, directory), !PathText.same(directory, root.resolved.path) {
            if isPlugin(directory) { take(directory) }
            directory = PathText.directory(of: directory)
        }
    }

    /// True if a plugin may start the file, or have Claude Code read it as instructions.
    /// - Parameters:
    ///   - path: absolute, after links.
    ///   - below: relative to the root if the file lies below it.
    func use(_ path: String, below: Substring.UTF8View) -> Bool {
        if texts.start(below) { return true }
        let folded = SensitiveNames.folded(path: path)
        if places.contains(where: { PathText.contains($0, folded) }) { return true }
        let name = PathText.components(folded).last.map { Array($0) } ?? []
        return FileKinds.instructions.contain(name) && trees.contains { PathText.contains($0, folded) }
    }

    private func isPlugin(_ directory: String) -> Bool {
        root.disk.kind(of: PathText.join(directory, Self.mark)) == .directory
    }

    private mutating func add(_ place: String) {
        places.append(SensitiveNames.folded(path: root.resolve(place).path))
    }
}

// MARK: - Reading

extension AgentPlugins {
    /// The directories and files of a plugin from which Claude Code starts files, or reads them as instructions.
    private static let directories = [
        "SKILL.md", "agents", "bin", "commands", "hooks", "monitors", "output-styles", "settings.json", "skills",
        "themes",
    ]
    /// Settings in a plugin, all of which name programs.
    private static let settings = ["hooks/hooks.json", ".mcp.json", ".lsp.json", "monitors/monitors.json"]

    private mutating func take(_ directory: String) {
        guard known.insert(directory).inserted else { return }
        if known.count > Self.most { texts.startsAny = true }
        guard !texts.startsAny else { return }
        if PathText.contains(directory, root.resolved.path) {
            for name in Self.directories { add(PathText.join(directory, name)) }
        } else {
            add(directory)
        }
        for name in ["plugin.json", "marketplace.json"] {
            takeManifest(PathText.join(directory, Self.mark + "/" + name), of: directory)
        }
        for file in Self.settings { takeSettings(PathText.join(directory, file)) }
    }

    private mutating func takeSettings(_ path: String) {
        guard let value = read(path) else { return }
        texts.add(AgentSettings.lines(of: Self.without(Self.prose, value)), isOfCommands: true)
    }

    /// Takes a plugin's own manifest, or a marketplace's, and the files and directories that it names.
    private mutating func takeManifest(_ path: String, of directory: String) {
        guard let value = read(path) else { return }
        let manifest = Self.withoutProse(value)
        texts.add(AgentSettings.lines(of: manifest), isOfCommands: true)
        var bases = [directory]
        if let base = value["metadata"]?["pluginRoot"]?.stringValue {
            bases.append(PathText.normalize(base, from: directory))
            takeNamed(bases[1], in: directory)
        }
        for name in Self.named(in: manifest) {
            for base in bases {
                takeNamed(PathText.normalize(name.path, from: base), isSource: name.isSource, in: directory)
            }
        }
    }

    private mutating func takeNamed(_ path: String, isSource: Bool = true, in directory: String) {
        guard !texts.startsAny else { return }
        if PathText.contains(path, directory) {
            // The project itself: its commands may be any Markdown in it, its skills have scripts.
            if !isSource { trees.append(SensitiveNames.folded(path: root.resolve(directory).path)) }
            return
        }
        switch root.disk.kind(of: path) {
        case .directory: take(path)
        case .file:
            guard known.insert(path).inserted else { return }
            add(path)
            if path.utf8.suffix(5).elementsEqual(".json".utf8) { takeSettings(path) }
        case .missing: add(path)
        default: break
        }
    }

    /// `nil` where there is none. What is no JSON is one text.
    private mutating func read(_ path: String) -> JSON? {
        guard root.disk.kind(of: path) == .file else { return nil }
        guard let text = root.disk.text(of: path, limit: Self.longest) else {
            texts.startsAny = true
            return nil
        }
        return (try? JSON(parsing: AgentSettings.withoutMark(text))) ?? .string(text)
    }

    /// Members of settings, of a manifest, and of each plugin in it, that are only shown. A server of such a name is an
    /// object.
    private static let prose = [
        "$schema", "category", "description", "homepage", "keywords", "license", "name", "repository", "tags",
        "version",
    ]
    private static let people = ["author", "metadata", "owner"]

    private static func without(_ names: [String], _ value: JSON) -> JSON {
        guard var object = value.objectValue else { return value }
        for name in names where object[name]?.objectValue == nil { object[name] = nil }
        return .object(object)
    }

    private static func withoutProse(_ manifest: JSON) -> JSON {
        guard var object = without(prose, manifest).objectValue else { return manifest }
        for name in people { object[name] = nil }
        if let plugins = object["plugins"]?.arrayValue { object["plugins"] = .array(plugins.map(withoutProse)) }
        return .object(object)
    }

    /// The paths in a manifest: what begins with `.`, and what is a source.
    private static func named(in value: JSON, isSource: Bool = false) -> [(path: String, isSource: Bool)] {
        switch value {
        case .string(let text): isSource || text.utf8.first == UInt8(ascii: ".") ? [(text, isSource)] : []
        case .array(let elements): elements.flatMap { named(in: $0, isSource: isSource) }
        case .object(let members):
            members.flatMap { named(in: $0.value, isSource: $0.key == "source" || $0.key == "path") }
        default: []
        }
    }

    // MARK: - What the user has installed

    private mutating func takeUsers(in directory: String) {
        if let installed = read(PathText.join(directory, "installed_plugins.json")) {
            for path in Self.values(of: ["installPath"], in: installed) { take(path) }
        }
        if let marketplaces = read(PathText.join(directory, "known_marketplaces.json")) {
            for path in Self.values(of: ["installLocation", "path"], in: marketplaces) { takeMarketplace(path) }
        }
    }

    /// Takes a marketplace that lies in the project. What is installed of others was copied.
    private mutating func takeMarketplace(_ path: String) {
        let isFile = root.disk.kind(of: path) == .file
        var directory = root.resolve(isFile ? PathText.directory(of: path) : path).path
        if isFile, directory.utf8.suffix(Self.mark.count + 1).elementsEqual(("/" + Self.mark).utf8) {
            directory = PathText.directory(of: directory)
        }
        guard PathText.contains(root.resolved.path, directory) || PathText.contains(directory, root.resolved.path)
        else {
            return
        }
        take(directory)
        if isFile { takeManifest(path, of: directory) }
    }

    /// The texts of such members, wherever they stand.
    static func values(of names: Set<String>, in value: JSON) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap { values(of: names, in: $0) }
        case .object(let members):
            members.flatMap { key, value in
                names.contains(key)
                    ? value.stringValue.map { [$0] } ?? values(of: names, in: value)
                    : values(of: names, in: value)
            }
        default: []
        }
    }
}
