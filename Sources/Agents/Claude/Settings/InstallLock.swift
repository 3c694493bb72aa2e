#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Lets one process of ours at a time change a file. The kernel releases the lock when its process ends, however that
/// happens.
enum InstallLock {
    /// - Parameters:
    ///   - path: The lock file. It is removed again afterwards.
    ///   - subject: The file that is being changed, for the error message.
    ///   - patience: The longest wait for the lock.
    static func whileHeld<Result>(
        _ path: String, subject: String, patience: Duration, _ body: () throws(InstallError) -> Result
    ) throws(InstallError) -> Result {
        let file = try acquire(path, subject, until: .now + patience)
        defer {
            // Removed before the lock is released, so that no process locks a removed file without noticing.
            unlink(path)
            close(file)
        }
        return try body()
    }

    private static func acquire(
        _ path: String, _ subject: String, until deadline: ContinuousClock.Instant
    ) throws(InstallError) -> Int32 {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw InstallFiles.failure("write in the directory of", subject) }
            if flock(file, LOCK_EX | LOCK_NB) == 0 {
                if isStill(file, at: path) { return file }
            } else if errno != EWOULDBLOCK && errno != EINTR {
                let error = InstallFiles.failure("lock", path)
                close(file)
                throw error
            }
            close(file)
            guard ContinuousClock.now < deadline else { throw .busy(path: subject) }
            usleep(5_000)
        }
    }

    /// True if the locked file is still the one at the path, and was not removed by the process that held it before.
    private static func isStill(_ file: Int32, at path: String) -> Bool {
        var ours = stat()
        var theirs = stat()
        return fstat(file, &ours) == 0 && stat(path, &theirs) == 0
            && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
    }
}
