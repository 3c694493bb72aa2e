/// A directory in which a command runs, and the disk as seen from there. The resolved path is cached.
final class Place {
    /// The directory as the shell's `PWD` has it.
    let written: String
    let ground: Ground
    /// True after a command that may replace files (such as `git pull`): the disk's answers may be wrong when this one
    /// runs.
    let mayChange: Bool
    /// True after a command that may create files, which the disk does not have yet.
    let mayHoldMore: Bool
    private var knownResolved: ResolvedPath?

    init(
        _ written: String, on ground: Ground, resolved: ResolvedPath? = nil, mayChange: Bool = false,
        mayHoldMore: Bool = false
    ) {
        self.written = written
        self.ground = ground
        self.mayChange = mayChange
        self.mayHoldMore = mayHoldMore || mayChange
        knownResolved = resolved
    }

    var resolved: ResolvedPath {
        if let knownResolved { return knownResolved }
        let found = ground.resolveKnown(written)
        knownResolved = found
        return found
    }

    /// This place after a command that may replace files.
    var changed: Place { Place(written, on: ground, resolved: knownResolved, mayChange: true) }

    /// This place after a command that may create files.
    var withMore: Place {
        Place(written, on: ground, resolved: knownResolved, mayChange: mayChange, mayHoldMore: true)
    }

    /// Throws where there may be more files when the command runs than now.
    func checkIsWhole(_ word: String) throws(Refusal) {
        guard !mayHoldMore else { throw .mayChange(word) }
    }

    /// Throws where the word may name another file when the command runs than now.
    func checkIsKnown(_ word: String) throws(Refusal) {
        guard !mayChange else { throw .mayChange(word) }
    }

    /// Whether no component below the root is a link. Go programs and shell scripts search for manifests upwards from
    /// `PWD`, other programs from the resolved directory; without links both are the same.
    private var isStraight: Bool {
        if PathText.same(written, ground.context.root) { return true }
        guard let below = ground.remainder(resolved) else { return false }
        return ground.writtenBelowRoot(written).elementsEqual(below)
    }

    /// Whether the program obeys no manifest, or finds the same ones from `PWD` and from the resolved directory.
    func suits(_ program: String) -> Bool { isStraight || Manifests.isOfSystem(program) }

    /// Whether this is the root or a directory below.
    var isInside: Bool {
        PathText.same(written, ground.context.root) || (resolved.isCertain && ground.contains(resolved))
    }

    /// The directories above this one, up to the root.
    var above: [Place] {
        var places: [Place] = []
        var directory = resolved.path
        while !PathText.same(directory, ground.root.path), PathText.contains(ground.root.path, directory),
            !ground.disk.isSpent
        {
            directory = PathText.directory(of: directory)
            places.append(Place(directory, on: ground, resolved: ResolvedPath(path: directory, isCertain: true)))
        }
        return places
    }

    func resolve(_ path: String) -> ResolvedPath {
        ground.disk.resolve(path, from: resolved.path)
    }

    var repository: String? { ground.disk.repository(from: resolved.path) }
}

/// The session's project for one request: its root, and what the rules ask the disk about it, each cached.
final class Ground {
    let context: RuleContext
    let disk: DiskQuestions

    /// Whether words may name any path. Then only what a command does is checked.
    let isAnywhere: Bool

    init(_ context: RuleContext, _ paths: any PathPort, isAnywhere: Bool = false) {
        self.isAnywhere = isAnywhere
        self.context = context
        disk = DiskQuestions(paths)
    }

    private(set) lazy var root: ResolvedPath = resolve(context.root)
    private(set) lazy var repository: String? = disk.repository(from: root.path)
    /// Whether the root is the top of a work tree. False if the root is only a part of a larger one.
    var isTopOfWorkTree: Bool {
        repository.map { PathText.same($0, root.path) && disk.isRepository(PathText.join($0, ".git")) } ?? false
    }
    /// See `IgnoredNames`.
    private(set) lazy var ignoredNames = readIgnoredNames()
    private(set) lazy var namesLeftOut = readNamesLeftOut()
    private(set) lazy var gitSettings: GitSettings? = readGitSettings()
    /// Cache of `SettingsBeside`: whether a directory holds settings of a program. The key is `PROGRAM DIRECTORY`.
    var hasSettings: [String: Bool] = [:]
    private lazy var cwd: ResolvedPath =
        PathText.same(context.cwd, context.root) ? root : resolve(context.cwd)

    /// Whether the root is `/`, a home directory or above one, as written or resolved: Claude reports its directory
    /// with links resolved, but `HOME` may be a link.
    private(set) lazy var rootIsBroad: Bool = context.rootIsBroad ?? findRootBroad()

    private func findRootBroad() -> Bool {
        if RuleContext.isBroad(root: context.root, home: context.home) { return true }
        let home = disk.resolve(context.home, from: "/").path
        let isWritten = PathText.same(root.path, context.root) && PathText.same(home, context.home)
        return !isWritten && RuleContext.isBroad(root: root.path, home: home)
    }

    /// The directory where the command starts. Made anew on each call: a stored place would retain this object in a
    /// cycle.
    var start: Place { Place(context.cwd, on: self) }

    /// Resolves a directory. The root and the directory where the command starts are cached.
    func resolveKnown(_ directory: String) -> ResolvedPath {
        if PathText.same(directory, context.root) { return root }
        return PathText.same(directory, context.cwd) ? cwd : resolve(directory)
    }

    func resolve(_ absolute: String) -> ResolvedPath {
        guard PathText.isAbsolute(absolute) else { return ResolvedPath(path: absolute, isCertain: false) }
        return disk.resolve(absolute, from: "/")
    }

    func contains(_ path: ResolvedPath) -> Bool {
        root.isCertain && path.isCertain && PathText.contains(root.path, path.path)
    }

    /// The path relative to the root; nil outside the root, or if either is uncertain.
    func remainder(_ path: ResolvedPath) -> Substring.UTF8View? {
        root.isCertain && path.isCertain ? PathText.remainder(of: path.path, below: root.path) : nil
    }

    /// The components of a written path without those of the root, which the command's author did not choose.
    func writtenBelowRoot(_ path: String) -> Substring.UTF8View {
        guard PathText.isAbsolute(path) else { return Substring(path).utf8 }
        return PathText.remainder(of: path, below: context.root) ?? PathText.remainder(of: path, below: root.path)
            ?? Substring(path).utf8
    }
}
