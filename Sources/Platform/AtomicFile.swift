import Glibc

/// Replaces files so that a reader sees the old or the new content, never a part, even after a crash or a power cut.
package enum AtomicFile {
    /// Writes `path + ".new"` and renames it to `path`. The content is on the disk when this returns.
    package static func replace(
        _ path: String, with bytes: [UInt8], _ attributes: FileAttributes = .ofPrivateFile
    ) throws(FileError) {
        try stage(bytes, at: path + ".new", attributes)
        try commit(path + ".new", to: path)
    }

    /// Writes a new file for `commit`. The content is on the disk when this returns. A staged file that a crash left at
    /// `path` is replaced.
    package static func stage(_ bytes: [UInt8], at path: String, _ attributes: FileAttributes) throws(FileError) {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("write", path) }
        defer { close(file) }
        do throws(FileError) {
            try writeAll(bytes, to: file, path)
            try apply(attributes, to: file, path)
            guard fsync(file) == 0 else { throw failure("write", path) }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Renames a staged file to `path`, replacing what is there. Removes the staged file where that fails.
    package static func commit(_ staged: String, to path: String) throws(FileError) {
        guard rename(staged, path) == 0 else {
            let error = failure("replace", path)
            unlink(staged)
            throw error
        }
        try synchronizeDirectory(of: path)
    }

    /// Removes a file. Does nothing where there is none.
    package static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
        try synchronizeDirectory(of: path)
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32, _ path: String) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            if count < 0 && errno != EINTR { throw failure("write", path) }
        }
    }

    private static func apply(_ attributes: FileAttributes, to file: Int32, _ path: String) throws(FileError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("write", path) }
        let (owner, group) = (attributes.owner ?? status.st_uid, attributes.group ?? status.st_gid)
        if status.st_uid != owner || status.st_gid != group {
            guard fchown(file, owner, group) == 0 else { throw failure("keep the owner of", path) }
        }
        guard fchmod(file, attributes.mode) == 0 else { throw failure("keep the mode of", path) }
    }

    /// Some file systems cannot synchronise a directory; there the rename is as durable as they make it.
    private static func synchronizeDirectory(of path: String) throws(FileError) {
        let directory = open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        defer { close(directory) }
        guard fsync(directory) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .notDurable(path: path, reason: .last)
        }
    }

    /// The directory part of a path; "." for a path without a slash.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func failure(_ operation: String, _ path: String) -> FileError {
        .failed(operation: operation, path: path, reason: .last)
    }
}
