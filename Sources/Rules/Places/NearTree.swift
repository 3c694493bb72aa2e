/// The directories of a project that are searched for what no name tells: the nearest to the root, as many as take some
/// milliseconds.
struct NearTree {
    struct Directory {
        let path: String
        /// Paths of its links.
        let links: [String]
        /// Names of its directories.
        let directories: [String]
        /// The number of its names.
        let count: Int
    }

    private static let mostDirectories = 300
    private static let mostNames = 6000
    private static let passedOver: Set<String> = [".git", ".tox", ".venv", "__pycache__", "node_modules", "venv"]

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

    /// The directory; `nil` where it cannot be read, or has more names.
    static func directory(_ path: String, on root: SessionRoot, atMost most: Int) -> Directory? {
        guard let entries = root.disk.entries(in: path, atMost: most) else { return nil }
        return Directory(
            path: path, links: entries.filter { $0.kind == .link }.map { PathText.join(path, $0.name) },
            directories: entries.filter { $0.kind == .directory }.map(\.name), count: entries.count)
    }
}
