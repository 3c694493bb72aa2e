import Glibc

/// Inode, size and times of a file: differs when the file was written or replaced. Compared with each use, as a watch would
/// tell of a change only after it was made.
package struct FileStamp: Equatable {
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64
    private let changed: Int64

    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = FileTime.nanoseconds(status.st_mtim)
        changed = FileTime.nanoseconds(status.st_ctim)
    }
}
