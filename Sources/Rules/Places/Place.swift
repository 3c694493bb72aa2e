/// A directory in which a command runs, and the disk as seen from there. The resolved path is cached.
final class Place {
    /// The directory as the shell's `PWD` has it.
    let written: String
    let root: SessionRoot
    /// True after a command that may replace files (such as `git pull`): the disk's answers may be wrong when this one
    /// runs.
    let mayChange: Bool
    /// True after a command that may create files, which the disk does not have yet.
    let mayHoldMore: Bool
    private var knownResolved: ResolvedPath?

    init(
        _ written: String, on root: SessionRoot, resolved: ResolvedPath? = nil, mayChange: Bool = false,
        mayHoldMore: Bool = false
    ) {
        self.written = written
        self.root = root
        self.mayChange = mayChange
        self.mayHoldMore = mayHoldMore || mayChange
        knownResolved = resolved
    }

    var resolved: ResolvedPath {
        if let knownResolved { return knownResolved }
        let found = root.resolveKnown(written)
        knownResolved = found
        return found
    }

    /// This place after a command that may replace files.
    var changed: Place { Place(written, on: root, resolved: knownResolved, mayChange: true) }

    /// This place after a command that may create files.
    var withMore: Place {
        Place(written, on: root, resolved: knownResolved, mayChange: mayChange, mayHoldMore: true)
    }

    /// Throws where there may be more files when the command runs than now.
    func checkIsWhole(_ word: String) throws(Refusal) {
        guard !mayHoldMore else { throw .mayChange(word) }
    }

    /// Throws where the word may name another file when the command runs than now.
    func checkIsKnown(_ word: String) throws(Refusal) {
        guard !mayChange else { throw .mayChange(word) }
    }

    /// True if no component below the root is a link. Go programs and shell scripts search for manifests upwards from
    /// `PWD`, other programs from the resolved directory; without links both are the same.
    private var isStraight: Bool {
        if PathText.same(written, root.context.root) { return true }
        guard let below = root.remainder(resolved) else { return false }
        return root.writtenBelowRoot(written).elementsEqual(below)
    }

    /// True if the program obeys no manifest, or finds the same ones from `PWD` and from the resolved directory.
    func suits(_ program: String) -> Bool { isStraight || Manifests.isOfSystem(program) }

    /// True if this is the root or a directory below.
    var isInside: Bool {
        PathText.same(written, root.context.root) || (resolved.isCertain && root.contains(resolved))
    }

    /// The directories above this one, up to the root.
    var above: [Place] {
        var places: [Place] = []
        var directory = resolved.path
        while !PathText.same(directory, root.resolved.path), PathText.contains(root.resolved.path, directory),
            !root.disk.isSpent
        {
            directory = PathText.directory(of: directory)
            places.append(Place(directory, on: root, resolved: ResolvedPath(path: directory, isCertain: true)))
        }
        return places
    }

    func resolve(_ path: String) -> ResolvedPath {
        root.disk.resolve(path, from: resolved.path)
    }

    var repository: String? { root.disk.repository(from: resolved.path) }
}
