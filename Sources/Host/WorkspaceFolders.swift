package import Core
import Glibc
import Platform

/// The directories of workspaces, on this machine's disks. Never call it on the loop's thread.
package struct WorkspaceFolders: Sendable {
    package init() {}

    /// Returns the directory's path with all links resolved.
    package func resolve(_ path: String, creating: Bool) throws(DirectoryProblem) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < Int(PATH_MAX), !path.utf8.contains(0) else {
            throw .spelling
        }
        var found = try existing(path)
        if found == nil, creating { found = try make(path) }
        guard let found else { throw .missing }
        var status = stat()
        guard stat(found, &status) == 0 else { throw .unreadable(SystemError.last.description) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notDirectory }
        guard access(found, R_OK | X_OK) == 0 else { throw .unreadable(SystemError.last.description) }
        return found
    }

    /// `nil` if nothing has this path.
    private func existing(_ path: String) throws(DirectoryProblem) -> String? {
        guard let bytes = realpath(path, nil) else {
            switch errno {
            case ENOENT: return nil
            case ENOTDIR: throw .notDirectory
            default: throw .unreadable(SystemError.last.description)
            }
        }
        defer { free(bytes) }
        guard let text = String(validatingCString: bytes) else { throw .notText }
        return text
    }

    private func make(_ path: String) throws(DirectoryProblem) -> String? {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            if errno == ENOENT { throw .missingParent }
            throw .unreadable(SystemError.last.description)
        }
        return try existing(path)
    }

    /// Searches level by level, so that a limit leaves out what lies deepest.
    package func repositories(
        below directories: [String], _ limits: DiscoveryLimits, isOver: () -> Bool
    ) -> FoundRepositories {
        var found = FoundRepositories()
        var level = Array(Set(directories)).sorted()
        for depth in 0...limits.depth {
            var next: [String] = []
            for directory in level {
                guard found.scanned < limits.directories, found.paths.count < limits.repositories, !isOver() else {
                    found.isComplete = false
                    found.paths.sort()
                    return found
                }
                guard let content = FolderContent(directory) else {
                    found.skipped += 1
                    continue
                }
                found.scanned += 1
                if content.isRepository { found.paths.append(directory) } else { next += content.folders }
            }
            level = next.sorted()
            if depth == limits.depth, !level.isEmpty { found.isComplete = false }
        }
        found.paths = Array(Set(found.paths)).sorted()
        return found
    }
}

/// The part of a directory that a search for repositories needs.
private struct FolderContent {
    private(set) var isRepository = false
    private(set) var folders: [String] = []

    /// The most entries that are read of one directory.
    private static let mostEntries = 20_000

    /// `nil` if the directory cannot be read, or a link has taken its place.
    init?(_ path: String) {
        let file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard let stream = fdopendir(file) else {
            close(file)
            return nil
        }
        defer { closedir(stream) }
        let base = path == "/" ? "/" : path + "/"
        for _ in 0..<Self.mostEntries {
            guard let entry = readdir(stream) else { break }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // A name that is no UTF-8 cannot be sent.
            guard let name = String(validating: bytes, as: UTF8.self) else { continue }
            if name == ".git" { isRepository = true }
            guard !name.hasPrefix("."), name != "node_modules" else { continue }
            if Self.isDirectory(entry.pointee.d_type, name, in: file) { folders.append(base + name) }
        }
    }

    private static func isDirectory(_ type: UInt8, _ name: String, in directory: Int32) -> Bool {
        guard Int(type) == Int(DT_UNKNOWN) else { return Int(type) == Int(DT_DIR) }
        var status = stat()
        return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
