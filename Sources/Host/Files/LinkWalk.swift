import Core

/// Follows a path name by name, each opened in the directory before it and none by the system following a link: what is
/// moved meanwhile leads nowhere else. For systems without openat2(2), and for links that begin with `/`, which that call
/// refuses wherever they lead.
struct LinkWalk {
    /// The links that Linux follows on one way (path_resolution(7)).
    private static let mostLinks = 40

    private let rootPath: String
    /// The way so far, the workspace's directory first. `..` goes back along it, and never asks the disk.
    private var way: [OpenPlace]
    /// The last first.
    private var rest: [String]
    private var links = 0

    init(from root: OpenPlace, at rootPath: String, _ names: [String]) {
        self.rootPath = rootPath
        way = [root]
        rest = names.reversed()
    }

    mutating func end() throws(FileObstacle) -> OpenPlace {
        while let name = rest.popLast() {
            if name == ".." {
                guard way.count > 1 else { throw .leaves }
                way.removeLast()
                continue
            }
            let next = try way[way.count - 1].opening(name)
            switch try next.status().kind {
            case .directory: way.append(next)
            case .link: try follow(try next.linkTarget())
            case .file, .special:
                guard rest.isEmpty else { throw .missing }
                return next
            }
        }
        return way[way.count - 1]
    }

    private mutating func follow(_ target: String) throws(FileObstacle) {
        links += 1
        guard links <= Self.mostLinks, !target.isEmpty else { throw .leadsNowhere }
        var target = target[...].utf8
        if target.first == UInt8(ascii: "/") {
            let root = rootPath == "/" ? "" : rootPath
            guard target.starts(with: root.utf8) else { throw .leaves }
            target = target.dropFirst(root.utf8.count)
            guard target.isEmpty || target.first == UInt8(ascii: "/") else { throw .leaves }
            way.removeSubrange(1...)
        }
        rest += target.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }.reversed()
    }
}
