/// A directory a command may be running in, and the disk as seen from there. What is asked once is remembered.
final class Place {
    /// As the shell's `PWD` would have it.
    let written: String
    let ground: Ground
    /// True behind a command that may bring files: what the disk says now may be wrong by then.
    let mayChange: Bool
    /// True behind a command that may make files: the disk does not name them yet.
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

    /// This place, behind a command that may bring files.
    var changed: Place { Place(written, on: ground, resolved: knownResolved, mayChange: true) }

    /// This place, behind a command that may make files.
    var withMore: Place {
        Place(written, on: ground, resolved: knownResolved, mayChange: mayChange, mayHoldMore: true)
    }

    /// Throws where more may lie here by then than the disk says now.
    func checkIsWhole(_ word: String) throws(Refusal) {
        guard !mayHoldMore else { throw .mayChange(word) }
    }

    /// Throws where what a word names may be something else by then.
    func checkIsKnown(_ word: String) throws(Refusal) {
        guard !mayChange else { throw .mayChange(word) }
    }

    /// It is where its name says: no link on the way below the root. Programs in Go and scripts of shells look for manifests
    /// from `PWD` upwards, others from where they are.
    private var isStraight: Bool {
        if PathText.same(written, ground.context.root) { return true }
        guard let below = ground.remainder(resolved) else { return false }
        return ground.writtenBelowRoot(written).elementsEqual(below)
    }

    /// A program that looks upwards may be run here.
    func suits(_ program: String) -> Bool { isStraight || Manifests.isOfSystem(program) }

    /// The root, or a directory below it.
    var isInside: Bool {
        PathText.same(written, ground.context.root) || (resolved.isCertain && ground.contains(resolved))
    }

    /// The directories above it, up to the root.
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

/// The root, and the way to the disk, for one request.
final class Ground {
    let context: RuleContext
    let disk: DiskQuestions

    /// Words may name any path: only what a command does is asked.
    let isAnywhere: Bool

    init(_ context: RuleContext, _ paths: any PathPort, isAnywhere: Bool = false) {
        self.isAnywhere = isAnywhere
        self.context = context
        disk = DiskQuestions(paths)
    }

    private(set) lazy var root: ResolvedPath = resolve(context.root)
    private(set) lazy var repository: String? = disk.repository(from: root.path)
    /// False also where the root is a part of a larger work tree.
    var isTopOfWorkTree: Bool {
        repository.map { PathText.same($0, root.path) && disk.isRepository(PathText.join($0, ".git")) } ?? false
    }
    /// See `IgnoredNames`.
    private(set) lazy var ignoredNames = readIgnoredNames()
    private(set) lazy var namesLeftOut = readNamesLeftOut()
    private(set) lazy var gitSettings: GitSettings? = readGitSettings()
    /// By a program and a directory, told apart by a blank: the directory holds settings of the program.
    var hasSettings: [String: Bool] = [:]
    private lazy var cwd: ResolvedPath =
        PathText.same(context.cwd, context.root) ? root : resolve(context.cwd)

    /// `/`, a home directory or above one, as it is written or where links lead: Claude tells where it runs with links
    /// resolved, `HOME` may be one.
    private(set) lazy var rootIsBroad: Bool = context.rootIsBroad ?? findRootBroad()

    private func findRootBroad() -> Bool {
        if RuleContext.isBroad(root: context.root, home: context.home) { return true }
        let home = disk.resolve(context.home, from: "/").path
        let isWritten = PathText.same(root.path, context.root) && PathText.same(home, context.home)
        return !isWritten && RuleContext.isBroad(root: root.path, home: home)
    }

    /// Made anew for whoever asks: a place holds its ground, and what held each other would never be gone.
    var start: Place { Place(context.cwd, on: self) }

    /// The root and the directory where the command starts are asked for once.
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

    /// Below the root, by name; nil outside.
    func remainder(_ path: ResolvedPath) -> Substring.UTF8View? {
        root.isCertain && path.isCertain ? PathText.remainder(of: path.path, below: root.path) : nil
    }

    /// The components a person wrote: those of the root itself are not theirs.
    func writtenBelowRoot(_ path: String) -> Substring.UTF8View {
        guard PathText.isAbsolute(path) else { return Substring(path).utf8 }
        return PathText.remainder(of: path, below: context.root) ?? PathText.remainder(of: path, below: root.path)
            ?? Substring(path).utf8
    }
}
