/// Links with protected names. Who writes to `conf/pkg.json` writes `package.json`, if that is a link to it.
struct ProtectedLinks {
    /// The most names of a directory above the file; of a larger one nobody knows whether a link is in it.
    private static let mostNamesAbove = 20_000
    /// The most links that are followed for `areStarted`, each of which may take several lookups.
    private static let mostFollowed = 200

    private let root: SessionRoot
    /// True for a name that a call may not have, relative to the root or absolute.
    private let isProtected: (Substring.UTF8View) -> Bool
    private let path: String
    private let isDirectory: Bool

    /// - Parameters:
    ///   - path: The file or directory, after links.
    ///   - isDirectory: True if everything below the path counts too.
    init(
        to path: String, isDirectory: Bool, on root: SessionRoot, isProtected: @escaping (Substring.UTF8View) -> Bool
    ) {
        self.root = root
        self.path = path
        self.isDirectory = isDirectory
        self.isProtected = isProtected
    }

    /// True if such a link leads to the path, or if that cannot be told of a directory above it.
    var exist: Bool {
        let above = directoriesAbove
        for directory in above where root.disk.kind(of: directory) == .directory {
            guard let found = NearTree.directory(directory, on: root, atMost: Self.mostNamesAbove) else { return true }
            if found.links.contains(where: leads) { return true }
        }
        let others = root.nearTree.directories.filter { other in
            !above.contains { PathText.same($0, other.path) }
        }
        return others.contains { $0.links.contains(where: leads) } || root.disk.isSpent
    }

    /// True if a link in the directories near the root leads to the path, and `isStarted` holds for the path through it. What
    /// that asks takes longer than to follow a link.
    func areStarted(_ isStarted: (String) -> Bool) -> Bool {
        root.nearTree.directories.flatMap(\.links).prefix(Self.mostFollowed).contains { link in
            let target = root.resolve(link)
            guard target.isCertain, let rest = PathText.remainder(of: path, below: target.path) else { return false }
            return isStarted(rest.isEmpty ? link : link + "/" + String(Substring(rest)))
        }
    }

    /// The directories from the path's up to the root, and the home directory's, whose links lead to dot files that are
    /// kept elsewhere.
    private var directoriesAbove: [String] {
        var found: [String] = []
        var directory = isDirectory ? path : PathText.directory(of: path)
        while PathText.contains(root.resolved.path, directory), !PathText.same(directory, root.resolved.path) {
            found.append(directory)
            directory = PathText.directory(of: directory)
        }
        let home = root.context.home
        return found + [root.resolved.path, home, home + "/.config"] + root.context.agentDirectories
            + (root.repository.map { [PathText.join($0, ".git/hooks")] } ?? [])
    }

    /// True if the link has a protected name and leads to the path, or to a directory above it. A link is followed only if
    /// its name matters: there may be many.
    private func leads(_ link: String) -> Bool {
        let below = root.writtenBelowRoot(link)
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...] } ?? path[...]
        let isKeptApart = root.isKeptApart(link)
        guard isKeptApart || isProtected(below) || isProtected((String(Substring(below)) + name)[...].utf8) else {
            return false
        }
        let target = root.resolve(link)
        guard target.isCertain else { return false }
        if isDirectory, PathText.contains(path, target.path) { return isKeptApart || isProtected(below) }
        guard let rest = PathText.remainder(of: path, below: target.path) else { return false }
        let other = String(Substring(below)) + (rest.isEmpty ? "" : "/" + String(Substring(rest)))
        return isKeptApart || isProtected(other[...].utf8)
    }
}
