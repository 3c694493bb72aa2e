import OrderedJSON

/// The session's root as one request sees it: the directory, and what the rules ask the disk about it, each cached.
final class SessionRoot {
    let context: RuleContext
    let disk: DiskLookups

    /// True if words may name any path. Then only what a command does is checked.
    let isAnywhere: Bool

    init(_ context: RuleContext, _ paths: any PathPort, isAnywhere: Bool = false) {
        self.isAnywhere = isAnywhere
        self.context = context
        disk = DiskLookups(paths)
    }

    private(set) lazy var resolved: ResolvedPath = resolve(context.root)
    private(set) lazy var repository: String? = disk.repository(from: resolved.path)
    /// True if the root is the top of a work tree. False if the root is only a part of a larger one.
    var isTopOfWorkTree: Bool {
        repository.map { PathText.same($0, resolved.path) && disk.isRepository(PathText.join($0, ".git")) } ?? false
    }
    /// See `IgnoredNames`.
    private(set) lazy var ignoredNames = readIgnoredNames()
    private(set) lazy var namesLeftOut = readNamesLeftOut()
    private lazy var agentSettings = AgentSettings(self)
    private var furtherStarts: FurtherStarts?
    private lazy var gitStarts = GitStarts(self)
    private(set) lazy var nearTree = NearTree(self)
    private(set) lazy var nearFileNames = nearTree.fileNames
    private(set) lazy var includedByMake = findIncludedByMake()
    private lazy var agentDirectory = context.agentDirectory.map { resolve($0).path }
    private(set) lazy var gitSettings: GitSettings? = readGitSettings()
    /// Read once for a line, which may name many branches.
    private(set) lazy var packedReferences: Set<ExactString>? = readPackedReferences()
    /// Cache of `OperandSettings`: whether a directory holds settings of a program. The key is `PROGRAM DIRECTORY`.
    var hasSettings: [String: Bool] = [:]
    /// The texts of pytest's settings by their directories.
    var pytestSettings: [String: [String?]] = [:]
    /// Cache of `WorkerModules`: what a checker loads from a directory. The key is `CHECKER DIRECTORY`.
    var loadedModules: [String: String?] = [:]
    private lazy var cwd: ResolvedPath =
        PathText.same(context.cwd, context.root) ? resolved : resolve(context.cwd)

    /// True if the root is `/`, a home directory or above one, as written or resolved: Claude reports its directory
    /// with links resolved, but `HOME` may be a link.
    private(set) lazy var isBroad: Bool = context.rootIsBroad ?? findBroad()
    /// True if no rule covers the files of the root, by a name of its own or of a directory above. Then rules are exact.
    private(set) lazy var isProtected: Bool = findProtected()
    /// True if a rule may cover more than one call.
    var hasWiderRules: Bool { !isBroad && !isProtected }
    /// See `runsByItself`.
    private(set) lazy var front: String = findFront()

    private func findBroad() -> Bool {
        if RuleContext.isBroad(root: context.root, home: context.home) { return true }
        let home = disk.resolve(context.home, from: "/").path
        let isWritten = PathText.same(resolved.path, context.root) && PathText.same(home, context.home)
        return !isWritten && RuleContext.isBroad(root: resolved.path, home: home)
    }

    /// The directory where the command starts. Made anew on each call: a stored place would retain this object in a
    /// cycle.
    var start: Place { Place(context.cwd, on: self) }

    /// Resolves a directory. The root and the directory where the command starts are cached.
    func resolveKnown(_ directory: String) -> ResolvedPath {
        if PathText.same(directory, context.root) { return resolved }
        return PathText.same(directory, context.cwd) ? cwd : resolve(directory)
    }

    func resolve(_ absolute: String) -> ResolvedPath {
        guard PathText.isAbsolute(absolute) else { return ResolvedPath(path: absolute, isCertain: false) }
        return disk.resolve(absolute, from: "/")
    }

    func contains(_ path: ResolvedPath) -> Bool {
        resolved.isCertain && path.isCertain && PathText.contains(resolved.path, path.path)
    }

    /// True for another user's files, and for the agent's own in a directory whose name does not tell it.
    /// - Parameter path: After links.
    func isKeptApart(_ path: String) -> Bool {
        SensitiveNames.isAnotherHome(path, home: context.home)
            || agentDirectory.map { PathText.contains($0, path) } == true
    }

    /// True if the agent or git may start the file by itself, or the agent may read it as instructions.
    /// - Parameter path: relative to the root if the file lies below it.
    func usesByItself(_ path: Substring.UTF8View) -> Bool {
        // A text is looked through in a quarter of the time that a path of its length takes.
        disk.spend(bytes: (agentSettings.texts.size + gitStarts.texts.size) / 4)
        let name = String(Substring(path))
        let absolute = PathText.isAbsolute(name) ? name : PathText.join(resolved.path, name)
        return names(of: absolute).contains { name in
            let name = name[...].utf8
            return agentSettings.use(name, at: absolute) || gitStarts.start(name, at: absolute)
        }
    }

    /// The same for what has to be searched for: see `FurtherStarts`. The first path that is asked for is the one that a call
    /// names; others are those of links to it.
    /// - Parameter path: absolute.
    func usesFromAfar(_ path: String) -> Bool {
        let found =
            furtherStarts
            ?? FurtherStarts(
                self, starting: [agentSettings.texts, gitStarts.texts], marketplaces: agentSettings.marketplaces,
                path: path)
        furtherStarts = found
        disk.spend(bytes: found.size / 4)
        return found.use(path)
    }

    /// The names by which texts may know a file: relative to the root if it lies below it, and where the root is a part of a
    /// repository, relative to that, too.
    func names(of path: String) -> [String] {
        isTop ? [belowRoot(path)] : [belowRoot(path), belowTop(path)]
    }

    private(set) lazy var isTop: Bool = repository.map { PathText.same($0, resolved.path) } ?? true
    /// Those above the root up to the repository's, without the one that cannot be listed, or has more names than are looked at.
    private(set) lazy var directoriesAbove: [NearTree.Directory] = above.dropFirst().compactMap {
        NearTree.directory($0, on: self, atMost: NearTree.mostAbove)
    }
    /// The root, and the directories above it up to the repository's.
    private(set) lazy var above: [String] = AgentSettings.above(self)

    /// The path relative to the root if it lies below it.
    func belowRoot(_ path: String) -> String {
        PathText.remainder(of: path, below: resolved.path).map { String(Substring($0)) } ?? path
    }

    /// The path relative to the root; nil outside the root, or if either is uncertain.
    func remainder(_ path: ResolvedPath) -> Substring.UTF8View? {
        resolved.isCertain && path.isCertain ? PathText.remainder(of: path.path, below: resolved.path) : nil
    }

    /// The components of a written path without those of the root, which the command's author did not choose.
    func writtenBelowRoot(_ path: String) -> Substring.UTF8View {
        guard PathText.isAbsolute(path) else { return Substring(path).utf8 }
        return PathText.remainder(of: path, below: context.root) ?? PathText.remainder(of: path, below: resolved.path)
            ?? Substring(path).utf8
    }
}
