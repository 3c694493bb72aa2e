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

/// What is found under one name.
package enum PathEntry: Sendable, Hashable {
    case missing
    /// No link.
    case plain
    case link(to: String)
    /// It cannot be told.
    case unknown
}

/// What the matcher may ask about the disk. Paths it passes in are absolute, and shorter than `DiskQuestions.longestPath`.
package protocol PathPort: Sendable {
    /// The last name of a path; the directory before it is free of links.
    func entry(at path: String) -> PathEntry
    /// Links followed.
    func kind(of absolutePath: String) -> PathKind
    /// All names in a directory, hidden ones too, without `.` and `..`; nil where they cannot be told.
    func names(in directory: String) -> [String]?
    /// A regular file, links followed; nil where there is none, it is no UTF-8 or has more than `limit` bytes.
    func text(of absolutePath: String, limit: Int) -> String?
    /// All names in a directory, hidden ones too, in no order; nil where that cannot be told, or where there are more.
    func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]?
    /// The same disk for a thread that others wait for, and whether all it said since is true: it stops asking where the
    /// answer may take long.
    func hurried() -> (paths: any PathPort, isSure: () -> Bool)
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

extension PathPort {
    /// As the kernel resolves it: component by component, links before `..`.
    package func resolve(_ path: String, from directory: String) -> ResolvedPath {
        DiskQuestions(self).resolve(path, from: directory)
    }

    /// The root directory of the git repository that git finds from here.
    package func repository(from directory: String) -> String? {
        DiskQuestions(self).repository(from: directory)
    }

    package func hurried() -> (paths: any PathPort, isSure: () -> Bool) { (self, { true }) }
}
