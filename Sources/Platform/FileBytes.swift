import Glibc

/// Whole files up to a size.
package enum FileBytes {
    /// The bytes of a regular file; `nil` where there is none, it is larger than `limit`, or it may not be read.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        return contents(of: file, size: Int(status.st_size))
    }

    /// The first `size` bytes, fewer where the file has fewer; `nil` where it cannot be read.
    package static func contents(of file: Int32, size: Int) -> [UInt8]? {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let read = Glibc.read(file, buffer.baseAddress! + count, size - count)
                guard read > 0 else {
                    isWhole = read == 0
                    return
                }
                count += read
            }
        }
        return isWhole ? bytes : nil
    }
}
