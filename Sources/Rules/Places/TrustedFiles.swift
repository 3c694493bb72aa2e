import OrderedJSON
import Text

/// Files that a person trusted once, and what they name: direnv, mise, an editor or a container tool runs them whenever
/// somebody enters or opens the directory, and a host runs those of its CI with rights of its own.
struct TrustedFiles {
    /// Those that start something by themselves: what runs through tasks and scripts counts, too.
    private(set) var texts = CommandTexts()
    /// Those that only count for what they name themselves. A CI runs the tests of the project, and with them all of it.
    private(set) var named = CommandTexts()

    private let root: SessionRoot
    private var known: Set<String> = []
    private var patterns: Set<String> = []
    private var files = 0
    private var bytes = 0

    /// The most files that are read, and the most bytes in them. Of more, they may name any file.
    private static let mostFiles = 200
    private static let mostBytes = 1 << 19
    /// The most patterns, each of which is compared with the names of all files near.
    private static let mostPatterns = 64

    init(_ root: SessionRoot) {
        self.root = root
        for directory in root.nearTree.directories.prefix(1) + root.directoriesAbove { take(directory) }
        // A workflow names only the directory of an action.
        for directory in root.nearTree.directories {
            for name in directory.files where ["action.yaml", "action.yml"].contains(name) {
                take(PathText.join(directory.path, name), starts: false)
            }
        }
    }

    private static let starting: Set<String> = [
        ".autoenv", ".autoenv.zsh", ".devcontainer.json", ".envrc", ".mise.local.toml", ".mise.toml", "devbox.json",
        "devenv.nix", "mise.local.toml", "mise.toml", "opencode.json", "opencode.jsonc",
    ]
    /// Of each hidden directory.
    private static let startingBelow: [String: Set<String>] = [
        ".codex": ["config.toml"], ".config": ["mise.toml", "mise/config.toml"],
        ".cursor": ["environment.json", "hooks.json", "mcp.json"], ".devcontainer": ["devcontainer.json"],
        ".gemini": ["settings.json"], ".mise": ["config.toml"], ".roo": ["mcp.json"], ".vscode": ["mcp.json"],
    ]
    private static let naming: Set<String> = [
        ".appveyor.yml", ".build.yml", ".cirrus.yml", ".drone.yml", ".gitlab-ci.yml", ".gitpod.yml", ".travis.yml",
        ".woodpecker.yml", "appveyor.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "buildspec.yml",
        "cloudbuild.yaml", "jenkinsfile",
    ]
    private static let namingBelow: [String: Set<String>] = [
        ".buildkite": ["pipeline.yml"], ".circleci": ["config.yml"],
        ".vscode": ["launch.json", "settings.json", "tasks.json"],
        ".zed": ["debug.json", "settings.json", "tasks.json"],
    ]
    /// Directories of which every file counts.
    private static let workflows = [".forgejo/workflows", ".gitea/workflows", ".github/workflows", ".woodpecker"]

    private mutating func take(_ directory: NearTree.Directory) {
        for name in directory.files {
            let folded = SensitiveNames.folded(path: name)
            let path = PathText.join(directory.path, name)
            if Self.starting.contains(folded) { take(path, starts: true) }
            if Self.naming.contains(folded) { take(path, starts: false) }
        }
        for hidden in directory.directories where hidden.utf8.first == UInt8(ascii: ".") {
            let path = PathText.join(directory.path, hidden)
            for name in Self.startingBelow[hidden] ?? [] { take(PathText.join(path, name), starts: true) }
            for name in Self.namingBelow[hidden] ?? [] { take(PathText.join(path, name), starts: false) }
            for place in Self.workflows where place == hidden || place.hasPrefix(hidden + "/") {
                takeAll(in: PathText.join(directory.path, place))
            }
            if hidden == ".devcontainer" { takeContainers(in: path) }
        }
    }

    private mutating func takeAll(in directory: String) {
        guard root.disk.kind(of: directory) == .directory else { return }
        guard let entries = root.disk.entries(in: directory, atMost: Self.mostFiles) else {
            named.startsAny = true
            return
        }
        for entry in entries where entry.kind != .directory {
            take(PathText.join(directory, entry.name), starts: false)
        }
    }

    /// One for each kind of container.
    private mutating func takeContainers(in directory: String) {
        for entry in root.disk.entries(in: directory, atMost: Self.mostFiles) ?? [] where entry.kind != .other {
            take(PathText.join(directory, entry.name + "/devcontainer.json"), starts: true)
        }
    }

    /// Takes files that a CI's settings include: lines such as `- local: ci/*.yml`.
    private mutating func takeIncluded(in text: String) {
        for line in text.pieces(at: "\n") {
            let words = line.utf8.split { $0 <= 0x20 || "'\",[]{}".utf8.contains($0) }
            let paths = words.filter { word in
                [".yaml", ".yml"].contains { word.suffix($0.utf8.count).elementsEqual($0.utf8) }
            }
            // In a command more stands beside it.
            let isOfPaths = words.count { $0.elementsEqual("-".utf8) || $0.last == UInt8(ascii: ":") } + paths.count
            guard isOfPaths == words.count else { continue }
            for path in paths { takeIncluded(Array(path)) }
        }
    }

    private mutating func takeIncluded(_ word: [UInt8]) {
        let name = String(decoding: word.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
        guard word.contains(UInt8(ascii: "*")) else {
            guard root.nearFileNames.contains(TaskNames.last(of: name)) else { return }
            return take(PathText.normalize(name, from: root.resolved.path), starts: false)
        }
        guard patterns.insert(name).inserted else { return }
        if patterns.count > Self.mostPatterns { named.startsAny = true }
        guard !named.startsAny else { return }
        texts.add(settings: Array(("sh " + name).utf8))
        for path in root.nearTree.files(matching: PathGlob(word)) { take(path, starts: false) }
    }

    private mutating func take(_ path: String, starts: Bool) {
        guard known.insert(path).inserted, root.disk.kind(of: path) == .file else { return }
        files += 1
        guard files <= Self.mostFiles, let text = root.disk.text(of: path, limit: DiskLookups.longestManifest) else {
            named.startsAny = true
            return
        }
        bytes += text.utf8.count
        if bytes > Self.mostBytes { named.startsAny = true }
        let value = try? JSON(parsing: AgentSettings.withoutMark(text))
        let all = value.map(AgentSettings.lines) ?? Array(text.utf8)
        // An editor's tasks start by themselves if they say so.
        if starts || path.utf8.suffix(11).elementsEqual("/tasks.json".utf8) && text.holds("folderOpen") {
            texts.add(settings: all)
        } else {
            named.add(named: all)
            if !path.utf8.suffix(5).elementsEqual(".json".utf8) { takeIncluded(in: text) }
        }
    }
}
