import Glibc

/// Whole small files, and the signs by which a change of one is noticed.
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

    static func contents(of file: Int32, size: Int) -> [UInt8]? {
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

/// Inode, size and times of a file: differs when the file was written or replaced.
struct FileStamp: Equatable {
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64
    private let changed: Int64

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }
}

/// A pthread mutex: `Synchronization.Mutex` makes the thread sanitizer report races that are none.
final class FileLock: @unchecked Sendable {  // guard: the mutex guards itself, and its address never changes
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func holding<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
