import Glibc

/// Reads whole files up to a size.
package enum FileBytes {
    /// The bytes of a regular file; `nil` where there is none, it is larger than `limit` bytes, or it cannot be read.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        (try? file(path, limit: limit))?.bytes
    }

    /// The bytes of a file that a person may have written; `nil` if nothing has that name. A link that leads nowhere is
    /// an error: what the person wrote is elsewhere, and the defaults would apply in its place.
    package static func ifPresent(_ path: String, limit: Int) throws(FileError) -> [UInt8]? {
        if let file = try file(path, limit: limit) { return file.bytes }
        var status = stat()
        guard lstat(path, &status) != 0 && errno == ENOENT else { throw .leadsNowhere(path: path) }
        return nil
    }

    /// The bytes of a regular file with its attributes; `nil` if it does not exist. Throws for anything but a
    /// regular file, for more than `limit` bytes, and where reading fails.
    package static func file(
        _ path: String, limit: Int
    ) throws(FileError) -> (bytes: [UInt8], attributes: FileAttributes)? {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read", path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
        guard status.st_size <= limit, let bytes = try whole(file, path, expecting: Int(status.st_size), limit) else {
            throw .tooLarge(path: path, limit: limit)
        }
        return (bytes, FileAttributes(mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid))
    }

    /// Reads to the end of the file, even if the file grows meanwhile; nil past the limit.
    private static func whole(
        _ file: Int32, _ path: String, expecting size: Int, _ limit: Int
    ) throws(FileError) -> [UInt8]? {
        // One byte more than the file has: a read that returns less has reached the end.
        var size = size + 1
        while true {
            guard let bytes = contents(of: file, size: size) else { throw failure("read", path) }
            if bytes.count > limit { return nil }
            if bytes.count < size { return bytes }
            size = min(size * 2, limit + 1)
        }
    }

    /// The first `size` bytes, fewer where the file has fewer; `nil` where reading fails, with the reason in `errno`.
    /// - Parameter start: The place of the first byte.
    package static func contents(of file: Int32, from start: Int = 0, size: Int) -> [UInt8]? {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let read = pread(file, buffer.baseAddress! + count, size - count, off_t(start + count))
                if read < 0 && errno == EINTR { continue }
                guard read > 0 else {
                    isWhole = read == 0
                    return
                }
                count += read
            }
        }
        return isWhole ? bytes : nil
    }

    private static func failure(_ operation: String, _ path: String) -> FileError {
        .failed(operation: operation, path: path, reason: .last)
    }
}
