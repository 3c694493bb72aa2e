import Glibc

/// A file for its owner alone that is there whole or not at all, also where the daemon dies in between.
enum WholeFile {
    /// - Returns: What failed, and why; nil where it is written: its bytes are on the disk before it has its name.
    static func write(_ bytes: [UInt8], to path: String) -> String? {
        let new = path + ".new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return failure("making \(new)") }
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let why = isWritten ? "" : failure("writing \(new)")
        close(file)
        guard isWritten else {
            unlink(new)
            return why
        }
        guard rename(new, path) == 0 else {
            defer { unlink(new) }
            return failure("making \(path)")
        }
        return nil
    }

    private static func failure(_ what: String) -> String {
        "\(what) failed: \(String(cString: strerror(errno)))"
    }
}
