import Core
import Glibc
import Platform

/// Reads what a child complained about, which it writes to a file of its own.
package struct ChildErrors: Sendable {
    package let path: String
    /// Bytes from the end that are looked at.
    private static let looked = 8192

    package init(path: String) {
        self.path = path
    }

    /// Bytes of the disk that the file takes.
    package var bytesOnDisk: Int64 {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }

    /// The end of it, for people; `nil` where it said nothing.
    package var end: String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let from = max(0, Int(lseek(file, 0, SEEK_END)) - Self.looked)
        return FileBytes.contents(of: file, from: from, size: Self.looked).flatMap {
            CallContext.end(of: String(decoding: $0, as: UTF8.self))
        }
    }
}
