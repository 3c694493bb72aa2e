/// What the agent or git starts by itself and only a search finds: by settings and repositories below the root, by plugins,
/// and by scripts that other scripts start.
struct FurtherStarts {
    private let root: SessionRoot
    private let settings: AgentSettings
    private var git: GitStarts
    private var plugins: AgentPlugins
    private var tasks = CommandTexts()
    private var scripts: StartedScripts?

    /// - Parameter starting: the texts of the root's own settings.
    init(_ root: SessionRoot, starting: [CommandTexts], marketplaces: [String], path: String) {
        self.root = root
        settings = AgentSettings(below: root)
        git = GitStarts(below: root)
        git.takeRepositories(above: path)
        plugins = AgentPlugins(root, marketplaces: marketplaces + settings.marketplaces)
        plugins.takePlugins(above: path)
        let all = starting + [settings.texts, git.texts, plugins.texts]
        guard !all.contains(where: \.startsAny) else { return }
        tasks = ProjectTasks(all, on: root).texts
        scripts = StartedScripts(all + [tasks], on: root)
    }

    /// Bytes that are looked through for each name.
    var size: Int {
        settings.texts.size + git.texts.size + plugins.texts.size + tasks.size + (scripts?.texts.size ?? 0)
    }

    /// - Parameter path: absolute, after links.
    func use(_ path: String) -> Bool {
        let below = root.belowRoot(path)
        let bytes = below[...].utf8
        return settings.use(bytes, at: path) || git.start(bytes, at: path) || plugins.use(path, below: bytes)
            || tasks.start(bytes)
            || scripts?.start(bytes) == true
    }
}
