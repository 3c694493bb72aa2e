/// Files that the agent or git starts by itself and that only a search finds: by settings and repositories below the root, by plugins,
/// and by scripts that other scripts start.
struct FurtherStarts {
    private let root: SessionRoot
    private let settings: AgentSettings
    private var git: GitStarts
    private var plugins: AgentPlugins
    private let trusted: TrustedFiles
    private var tasks: ProjectTasks
    private var scripts: StartedScripts
    /// Scripts may run tasks, and tasks scripts, so many times over; then they may start any file.
    private static let mostRounds = 8

    /// - Parameter starting: the texts of the root's own settings.
    init(_ root: SessionRoot, starting: [CommandTexts], marketplaces: [String], path: String) {
        self.root = root
        settings = AgentSettings(below: root)
        git = GitStarts(below: root)
        git.takeRepositories(above: path)
        plugins = AgentPlugins(root, marketplaces: marketplaces + settings.marketplaces)
        plugins.takePlugins(above: path)
        trusted = TrustedFiles(root)
        tasks = ProjectTasks(on: root)
        scripts = StartedScripts(on: root)
        let all = starting + [settings.texts, git.texts, plugins.texts, trusted.texts, Self.managers(of: root)]
        guard !all.contains(where: \.startsAny), !trusted.named.startsAny else { return }
        takeScripts(of: all.flatMap(\.texts))
    }

    /// The managers of git's hooks whose settings lie here. They run their hooks once somebody installs them.
    private static func managers(of root: SessionRoot) -> CommandTexts {
        let names = ["husky", "lefthook", "overcommit", "pre-commit", "prek", "simple-git-hooks"]
        let files = root.nearTree.directories.prefix(1).flatMap(\.files)
        let programs = Set(files.flatMap { TaskNames.programs(ofFile: SensitiveNames.folded($0.utf8)) })
        var texts = CommandTexts()
        for name in names where TaskNames.programs(name).contains(where: programs.contains) {
            texts.add(Array(name.utf8), isOfCommands: false)
        }
        return texts
    }

    private mutating func takeScripts(of starting: [CommandTexts.Text]) {
        var waiting = starting
        for _ in 0..<Self.mostRounds where !waiting.isEmpty {
            let run = tasks.take(waiting)
            waiting = tasks.take(scripts.take(waiting + run.texts).texts).texts
        }
        if !waiting.isEmpty { tasks.texts.startsAny = true }
    }

    /// Bytes that are looked through for each name.
    var size: Int {
        settings.texts.size + git.texts.size + plugins.texts.size + trusted.texts.size + trusted.named.size
            + tasks.texts.size
            + scripts.texts.size
    }

    /// - Parameter path: absolute, after links.
    func use(_ path: String) -> Bool {
        root.names(of: path).contains { name in
            let bytes = name[...].utf8
            return settings.use(bytes, at: path) || git.start(bytes, at: path) || plugins.use(path, below: bytes)
                || trusted.texts.start(bytes) || trusted.named.start(bytes) || tasks.texts.start(bytes)
                || scripts.start(bytes)
        }
    }
}
