package import Core
import Glibc
import Platform

/// The file that a call would change, as it is on the disk. Reading takes as long as the disk does: never call it on
/// the loop's thread.
package struct ChangedFile: Sendable {
    package init() {}

    /// The size in bytes of the largest file that is read.
    private static let longest = 1 << 20

    /// Returns the file's bytes; `nil` where no file has this path. The path must be resolved: where a part of it has
    /// been replaced by a link since, nothing is read.
    package func contents(of path: String) throws(PreviewRefusal) -> [UInt8]? {
        var found = stat()
        // Opening a pipe would let its writer go on.
        if lstat(path, &found) == 0, found.st_mode & S_IFMT != S_IFREG { throw .notRegular }
        // Without O_NONBLOCK, opening a pipe that has taken the file's place would wait for its writer.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return nil
            case ELOOP: throw .moved
            // The path names a socket.
            case ENXIO: throw .notRegular
            default: throw .unreadable(SystemError.last.description.lowercased())
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard Self.path(of: file) == path else { throw .moved }
        guard status.st_size <= Self.longest else { throw .large(bytes: Self.longest) }
        guard let bytes = FileBytes.contents(of: file, size: Int(status.st_size)) else {
            throw .unreadable("a read failed")
        }
        return bytes
    }

    /// Returns the path of an open file, as the kernel knows it.
    private static func path(of file: Int32) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink("/proc/self/fd/\(file)", start, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return String(validating: buffer.prefix(count), as: UTF8.self)
        }
    }
}
