/// Where a path leads.
package struct ResolvedPath: Sendable, Hashable {
    /// Absolute, without links, `.` or `..`, as far as it exists; what does not exist is appended as it was written.
    package let path: String
    /// False where the kernel's way cannot be told: a loop of links, no permission, `..` behind what does not exist.
    package let isCertain: Bool

    package init(path: String, isCertain: Bool) {
        self.path = path
        self.isCertain = isCertain
    }
}

package enum PathKind: Sendable, Hashable {
    case missing, file, directory, other
}

/// What the matcher may ask about the disk. Directories it passes in are absolute and already resolved.
package protocol PathPort: Sendable {
    /// As the kernel resolves it: component by component, links before `..`.
    func resolve(_ path: String, from directory: String) -> ResolvedPath
    /// Links followed.
    func kind(of absolutePath: String) -> PathKind
    /// The root directory of the git repository that git finds from here. A directory with `HEAD` and `objects` counts as one.
    func repository(from directory: String) -> String?
    /// The names `*.suffix` stands for in a directory now, hidden ones left out; nil where that cannot be told.
    func matches(ofSuffix suffix: String, in directory: String) -> [String]?
    /// A regular file, links followed; nil where there is none, it is no UTF-8 or has more than `limit` bytes.
    func text(of absolutePath: String, limit: Int) -> String?
    /// All names in a directory, hidden ones too, in no order; nil where that cannot be told, or where there are more.
    func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]?
}

/// A name in a directory.
package struct DirectoryEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case directory, link, other }

    package let name: String
    /// Links are not followed.
    package let kind: Kind

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}
