/// The directories of a project that are searched for what no name tells: the nearest to the root, as many as take some
/// milliseconds.
struct NearTree {
    struct Directory {
        let path: String
        /// Paths of its links.
        let links: [String]
        /// Names of its directories.
        let directories: [String]
        /// Names of its files and links.
        let files: [String]
        /// True if it holds files that agents read as instructions.
        let hasInstructions: Bool
        /// True if git takes it for the top of a work tree, or for a repository without one.
        let isRepository: Bool
        /// The number of its names.
        let count: Int
    }

    private static let mostDirectories = 300
    private static let mostNames = 6000
    /// The most names in a directory above the root.
    static let mostAbove = 3000
    static let passedOver: Set<String> = [".git", ".tox", ".venv", "__pycache__", "node_modules", "venv"]

    private(set) var directories: [Directory] = []

    init(_ root: SessionRoot) {
        var queue = [root.resolved.path]
        var names = Self.mostNames
        var next = 0
        while next < min(queue.count, Self.mostDirectories) {
            defer { next += 1 }
            guard let found = Self.directory(queue[next], on: root, atMost: names) else { continue }
            names -= found.count
            directories.append(found)
            queue += found.directories.filter { !Self.passedOver.contains($0) }.map { PathText.join(found.path, $0) }
        }
    }

    /// The paths of the files that a pattern may name.
    func files(matching glob: PathGlob) -> [String] {
        directories.flatMap { directory in
            glob.mayLie(in: TaskNames.last(of: directory.path))
                ? directory.files.filter { glob.matches(SensitiveNames.folded($0.utf8)) }
                    .map { PathText.join(directory.path, $0) } : []
        }
    }

    /// The names of all files, case folded.
    var fileNames: Set<[UInt8]> {
        directories.reduce(into: []) { names, directory in
            names.formUnion(directory.files.map { SensitiveNames.folded($0.utf8) })
        }
    }

    /// The directory; `nil` where it cannot be read, or has more names.
    static func directory(_ path: String, on root: SessionRoot, atMost most: Int) -> Directory? {
        guard let entries = root.disk.entries(in: path, atMost: most) else { return nil }
        return Directory(
            path: path, links: entries.filter { $0.kind == .link }.map { PathText.join(path, $0.name) },
            directories: entries.filter { $0.kind == .directory }.map(\.name),
            files: entries.filter { $0.kind != .directory }.map(\.name),
            hasInstructions: entries.contains { $0.kind != .directory && isOfInstructions($0.name) },
            isRepository: isRepository(entries), count: entries.count)
    }

    /// True if `.git` is among the entries, or what `DiskLookups.isBare` asks for. Without case, as some disks find them.
    private static func isRepository(_ entries: [DirectoryEntry]) -> Bool {
        var parts: Set<[UInt8]> = []
        for entry in entries where ofRepositories.contains(entry.name.utf8.count) {
            parts.insert(SensitiveNames.folded(entry.name.utf8))
        }
        return parts.contains(Array(".git".utf8))
            || parts.contains(Array("head".utf8))
                && ["objects", "commondir"].contains { parts.contains(Array($0.utf8)) }
    }

    /// The lengths of these names, which few others have.
    private static let ofRepositories: Set = [4, 7, 9]

    /// `CLAUDE.md`, `AGENTS.md` and their like, without case.
    private static func isOfInstructions(_ name: String) -> Bool {
        guard let first = name.utf8.first, "aAcC".utf8.contains(first) else { return false }
        let name = SensitiveNames.folded(name.utf8)
        return ["agents.", "claude."].contains { name.starts(with: $0.utf8) }
            && name.suffix(3).elementsEqual(".md".utf8)
    }
}
