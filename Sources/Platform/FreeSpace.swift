import Glibc

/// The free space of disks.
package enum FreeSpace {
    /// The bytes that this user may still write beside a file that may be missing; `nil` if the system does not say.
    package static func bytes(beside path: String) -> Int64? {
        var found = statvfs()
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard statvfs(directory.isEmpty ? "/" : directory, &found) == 0 else { return nil }
        let (bytes, isTooMuch) = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return isTooMuch ? .max : Int64(clamping: bytes)
    }
}
