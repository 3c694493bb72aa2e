/// A change in a folder that somebody looks at.
package struct WatchedChange: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case created, deleted, modified, renamed
    }

    /// The folder itself stands for more changes than are told one by one.
    package let path: WorkspacePath
    package let kind: Kind
    /// The former place of what was renamed.
    package let oldPath: WorkspacePath?

    package init(path: WorkspacePath, kind: Kind, oldPath: WorkspacePath? = nil) {
        self.path = path
        self.kind = kind
        self.oldPath = oldPath
    }
}

/// Tells one state of an entry from another.
package struct EntryStamp: Sendable, Hashable {
    package let inode: UInt64
    package let size: Int64
    /// Nanoseconds since 1970.
    package let modified: Int64
    package let isDirectory: Bool

    package init(inode: UInt64, size: Int64, modified: Int64, isDirectory: Bool) {
        self.inode = inode
        self.size = size
        self.modified = modified
        self.isDirectory = isDirectory
    }
}

/// The entries of a folder at one time.
package struct FolderSnapshot: Sendable, Hashable {
    /// `nil` for a folder that is gone, or has more entries than are compared.
    package let entries: [String: EntryStamp]?
    package let isThere: Bool

    /// The most changes that are told one by one.
    package static let mostChanges = 50

    package static let gone = FolderSnapshot(entries: nil, isThere: false)
    /// A folder whose entries are not compared.
    package static let large = FolderSnapshot(entries: nil, isThere: true)

    private init(entries: [String: EntryStamp]?, isThere: Bool) {
        self.entries = entries
        self.isThere = isThere
    }

    package init(_ entries: [String: EntryStamp]) { self.init(entries: entries, isThere: true) }

    /// The changes since an earlier state of the folder at `path`, sorted by path.
    package func changes(since before: FolderSnapshot, of path: WorkspacePath) -> [WatchedChange] {
        guard isThere == before.isThere else {
            return [WatchedChange(path: path, kind: isThere ? .created : .deleted)]
        }
        guard isThere else { return [] }
        guard let entries, let old = before.entries else { return [WatchedChange(path: path, kind: .modified)] }
        let changes = Self.changes(from: old, to: entries, in: path)
        return changes.count > Self.mostChanges ? [WatchedChange(path: path, kind: .modified)] : changes
    }

    private static func changes(
        from old: [String: EntryStamp], to new: [String: EntryStamp], in path: WorkspacePath
    ) -> [WatchedChange] {
        var gone = old.filter { new[$0.key] == nil }
        var changes: [WatchedChange] = []
        for (name, stamp) in new.sorted(by: { $0.key < $1.key }) where old[name] != stamp {
            let place = path.appending(name)
            if old[name] != nil {
                changes.append(WatchedChange(path: place, kind: .modified))
            } else if let former = gone.first(where: { $0.value.isSameFile(as: stamp) })?.key {
                gone[former] = nil
                changes.append(WatchedChange(path: place, kind: .renamed, oldPath: path.appending(former)))
            } else {
                changes.append(WatchedChange(path: place, kind: .created))
            }
        }
        changes += gone.keys.map { WatchedChange(path: path.appending($0), kind: .deleted) }
        return changes.sorted { $0.path.text < $1.path.text }
    }
}

extension EntryStamp {
    /// A number alone may have been given to another file since.
    fileprivate func isSameFile(as other: EntryStamp) -> Bool {
        inode == other.inode && isDirectory == other.isDirectory && modified == other.modified
    }
}
