/// What the agent or git starts by itself and only a search finds: by settings and repositories below the root, by plugins,
/// and by scripts that other scripts start.
struct FurtherStarts {
    private let settings: AgentSettings
    private var git: GitStarts
    private var plugins: AgentPlugins
    private var scripts = CommandTexts()

    /// - Parameter starting: the texts of the root's own settings.
    init(_ root: SessionRoot, starting: [CommandTexts], marketplaces: [String], path: String) {
        settings = AgentSettings(below: root)
        git = GitStarts(below: root)
        git.takeRepositories(above: path)
        plugins = AgentPlugins(root, marketplaces: marketplaces + settings.marketplaces)
        plugins.takePlugins(above: path)
        let all = starting + [settings.texts, git.texts, plugins.texts]
        if !all.contains(where: \.startsAny) { scripts = StartedScripts(all, on: root).texts }
    }

    /// Bytes that are looked through for each name.
    var size: Int { settings.texts.size + git.texts.size + plugins.texts.size + scripts.size }

    /// - Parameter path: absolute, after links.
    func use(_ path: String) -> Bool {
        let bytes = path[...].utf8
        return settings.use(bytes, at: path) || git.start(bytes, at: path) || plugins.use(path) || scripts.start(bytes)
    }
}
