#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps two of us from changing one file at a time. The lock goes with the process that holds it, however that ends.
enum InstallLock {
    /// - Parameters:
    ///   - path: The lock file. It is removed again afterwards.
    ///   - subject: What is being changed, for the message.
    ///   - patience: How long to wait for it.
    static func whileHeld<Result>(
        _ path: String, subject: String, patience: Duration, _ body: () throws(InstallError) -> Result
    ) throws(InstallError) -> Result {
        let file = try acquire(path, subject, until: .now + patience)
        defer {
            // Before the lock is given up, so that nobody can hold a file that is gone without noticing.
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

    /// Whether the file we locked is the one others will find, or was removed by the holder before us.
    private static func isStill(_ file: Int32, at path: String) -> Bool {
        var ours = stat()
        var theirs = stat()
        return fstat(file, &ours) == 0 && stat(path, &theirs) == 0
            && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
    }
}
