import Core
import Glibc
import Platform

/// The names in a directory: directories, and links that lead to some, apart from everything else.
struct EntryNames: Sendable {
    /// Names that are read of one directory.
    static let most = 200_000
    /// Milliseconds for following links, of which each takes a walk; the rest count as files.
    private static let linkTime: Int64 = 300

    /// Sorted.
    private(set) var directories: [String] = []
    private(set) var files: [String] = []
    /// True if there are more names than were read.
    private(set) var isPartial = false

    init(of path: WorkspacePath, at place: OpenPlace, in root: WorkspaceRoot) throws(FileObstacle) {
        var links: [String] = []
        var count = 0
        try place.eachName { name, type in
            count += 1
            guard count <= Self.most else {
                isPartial = true
                return false
            }
            switch Int(type) {
            case Int(DT_DIR): directories.append(name)
            case Int(DT_LNK): links.append(name)
            case Int(DT_UNKNOWN): note(name, place.status(of: name)?.kind, &links)
            default: files.append(name)
            }
            return true
        }
        follow(links, path, root)
        directories.sort()
        files.sort()
    }

    private mutating func note(_ name: String, _ kind: FileStatus.Kind?, _ links: inout [String]) {
        switch kind {
        case .directory: directories.append(name)
        case .link: links.append(name)
        default: files.append(name)
        }
    }

    private mutating func follow(_ links: [String], _ path: WorkspacePath, _ root: WorkspaceRoot) {
        let end = SystemTime.awake + Self.linkTime
        for name in links {
            let isDirectory =
                SystemTime.awake < end && (try? root.opening(path.appending(name)).status().kind) == .directory
            if isDirectory { directories.append(name) } else { files.append(name) }
        }
    }
}

/// The names of the directories that were listed last. Somebody who pages through a hundred thousand entries has them read
/// and sorted once.
final class KeptNames: Sendable {
    private struct Key: Hashable {
        let root: String
        let path: WorkspacePath
    }

    private struct Entry {
        let key: Key
        let stamp: EntryStamp
        let names: EntryNames
    }

    /// Smaller directories are read anew with each page.
    private static let least = 2000
    private static let most = 4
    /// Nanoseconds. A directory that was changed just before it was read may be changed again without another time.
    private static let settled: Int64 = 2_000_000_000

    private let entries = Locked<[Entry]>([])

    func names(
        of path: WorkspacePath, at place: OpenPlace, in root: WorkspaceRoot, _ rootPath: String
    ) throws(FileObstacle) -> EntryNames {
        let key = Key(root: rootPath, path: path)
        let stamp = try place.status().stamp
        if let kept = entries.withLock({ $0.first { $0.key == key && $0.stamp == stamp } }) { return kept.names }
        let names = try EntryNames(of: path, at: place, in: root)
        if names.directories.count + names.files.count >= Self.least,
            SystemTime.wall * 1_000_000 - stamp.modified > Self.settled
        {
            keep(Entry(key: key, stamp: stamp, names: names))
        }
        return names
    }

    private func keep(_ entry: Entry) {
        entries.withLock { entries in
            entries.removeAll { $0.key == entry.key }
            entries.append(entry)
            if entries.count > Self.most { entries.removeFirst() }
        }
    }
}
