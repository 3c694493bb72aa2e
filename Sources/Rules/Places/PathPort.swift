/// The file that a path names, after links.
package struct ResolvedPath: Sendable, Hashable {
    /// An absolute path without links, `.` or `..`, as far as it exists. Components that do not exist are appended as
    /// they were written.
    package let path: String
    /// False where the kernel's result is unknown: a loop of links, no permission, or `..` after a component that does
    /// not exist.
    package let isCertain: Bool

    package init(path: String, isCertain: Bool) {
        self.path = path
        self.isCertain = isCertain
    }
}

package enum PathKind: Sendable, Hashable {
    case missing, file, directory, other
}

/// The kind of directory entry with one name.
package enum PathEntry: Sendable, Hashable {
    case missing
    /// Anything but a link.
    case plain
    case link(to: String)
    /// The entry cannot be determined.
    case unknown
}

/// The port by which rules ask the disk. The paths passed in are absolute, and shorter than
/// `DiskLookups.longestPath`.
package protocol PathPort: Sendable {
    /// The entry of the path's last component. The caller guarantees that the directory before it contains no links.
    func entry(at path: String) -> PathEntry
    /// The kind of the file after links.
    func kind(of absolutePath: String) -> PathKind
    /// All names in a directory, hidden ones included, without `.` and `..`; nil where the directory cannot be read.
    func names(in directory: String) -> [String]?
    /// The text of a regular file after links; nil where there is none, it is not UTF-8 or has more than `limit` bytes.
    func text(of absolutePath: String, limit: Int) -> String?
    /// All entries of a directory, hidden ones included, in any order; nil where the directory cannot be read, or where
    /// it has more than `most`.
    func entries(in directory: String, atMost most: Int) -> [DirectoryEntry]?
    /// A view of the same disk for a thread that must not wait: it asks nothing that may take long. `isSure` returns
    /// whether all answers of the view so far are true.
    func hurried() -> (paths: any PathPort, isSure: () -> Bool)
}

/// A name in a directory.
package struct DirectoryEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case directory, link, other }

    package let name: String
    /// The kind of the entry itself; links are not followed.
    package let kind: Kind

    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

extension PathPort {
    /// Resolves a path as the kernel does: component by component, links before `..`.
    package func resolve(_ path: String, from directory: String) -> ResolvedPath {
        DiskLookups(self).resolve(path, from: directory)
    }

    /// The top directory of the repository that git finds from `directory`.
    package func repository(from directory: String) -> String? {
        DiskLookups(self).repository(from: directory)
    }

    package func hurried() -> (paths: any PathPort, isSure: () -> Bool) { (self, { true }) }
}
