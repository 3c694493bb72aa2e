import CPlatform
import Platform

/// A listening Unix socket, its file and the lock beside it.
///
/// The lock (`<path>.lock`, `flock`) is taken first and held until `remove()`. Of two processes that start at once only
/// one gets the lock, so neither can replace a socket that the other serves. The lock file itself is never removed.
struct UnixSocketFile: Sendable {
    let path: String
    let descriptor: Int32
    private let lock: Int32
    private let device: UInt64
    private let inode: UInt64

    static func open(path: String) throws(ListenError) -> UnixSocketFile {
        try checkLength(path)
        try checkDirectory(of: path)
        let lock = try takeLock(path)
        do throws(ListenError) {
            return try UnixSocketFile(path: path, descriptor: try listen(path), lock: lock)
        } catch {
            cplatform_close(lock)
            throw error
        }
    }

    private init(path: String, descriptor: Int32, lock: Int32) throws(ListenError) {
        guard let facts = facts(of: path), facts.mode == 0o600 else {
            cplatform_close(descriptor)
            throw .notASocket(path: path)
        }
        self.init(path: path, descriptor: descriptor, lock: lock, device: facts.device, inode: facts.inode)
    }

    private init(path: String, descriptor: Int32, lock: Int32, device: UInt64, inode: UInt64) {
        self.path = path
        self.descriptor = descriptor
        self.lock = lock
        self.device = device
        self.inode = inode
    }

    /// True if both files are still the ones that were opened.
    var isInPlace: Bool { isSocketInPlace && isLockInPlace }

    private var isSocketInPlace: Bool {
        guard let now = facts(of: path) else { return false }
        return now.device == device && now.inode == inode
    }

    private var isLockInPlace: Bool {
        var held = cplatform_file()
        guard cplatform_open_file_facts(lock, &held) == 0, let now = facts(of: Self.lockPath(of: path)) else {
            return false
        }
        return now.device == held.device && now.inode == held.inode
    }

    /// Creates the files that were deleted or replaced again, the lock first, and returns the socket with them.
    /// Descriptors of files that are still in place are shared with this value; `close(insteadOf:)` closes the others.
    /// Fails as `open` does: a socket that another process serves, and a file that is not a socket, are left alone.
    func restored() throws(ListenError) -> UnixSocketFile {
        try Self.checkDirectory(of: path)
        let lock = isLockInPlace ? self.lock : try Self.takeLock(path)
        if isSocketInPlace {
            return UnixSocketFile(path: path, descriptor: descriptor, lock: lock, device: device, inode: inode)
        }
        do throws(ListenError) {
            return try UnixSocketFile(path: path, descriptor: try Self.listen(path), lock: lock)
        } catch {
            if lock != self.lock { cplatform_close(lock) }
            throw error
        }
    }

    /// Closes the descriptors that `other` does not share. One of the two was returned by `restored` of the other.
    func close(insteadOf other: UnixSocketFile) {
        if descriptor != other.descriptor { cplatform_close(descriptor) }
        if lock != other.lock { cplatform_close(lock) }
    }

    /// Closes the socket, removes its file if the path still names it, and releases the lock.
    func remove() {
        if isSocketInPlace { _ = cplatform_unlink(path) }
        cplatform_close(descriptor)
        cplatform_close(lock)
    }

    static func lockPath(of path: String) -> String { path + ".lock" }

    // MARK: Steps

    private static func checkLength(_ path: String) throws(ListenError) {
        let limit = cplatform_unix_path_limit()
        guard path.utf8.count <= limit else {
            throw .pathTooLong(path: path, bytes: path.utf8.count, limit: limit)
        }
    }

    private static func checkDirectory(of path: String) throws(ListenError) {
        let directory = directory(of: path)
        if facts(of: directory) == nil {
            _ = try step("creating \(directory)") { () throws(SystemError) in
                try checked(cplatform_make_directory(directory))
            }
        }
        // With a slash at its end, the path names the directory itself and not a symbolic link to it.
        guard let facts = facts(of: directory + "/") else { return }
        guard facts.uid == cplatform_uid(), facts.mode & 0o022 == 0 else {
            throw .directoryNotPrivate(path: directory, owner: facts.uid, mode: facts.mode)
        }
    }

    private static func takeLock(_ path: String) throws(ListenError) -> Int32 {
        let lockPath = lockPath(of: path)
        let result = cplatform_lock_file(lockPath)
        if result == -EWOULDBLOCK {
            let holder = cplatform_lock_holder(lockPath)
            throw .socketInUse(path: path, holder: holder > 0 ? holder : nil)
        }
        return try step("locking \(lockPath)") { () throws(SystemError) in try checked(result) }
    }

    private static func listen(_ path: String) throws(ListenError) -> Int32 {
        try clear(path)
        return try step("listening on \(path)") { () throws(SystemError) in
            try checked(cplatform_listen_unix(path, listenBacklog))
        }
    }

    /// Removes a socket that no process serves any more.
    private static func clear(_ path: String) throws(ListenError) {
        guard let facts = facts(of: path) else { return }
        guard facts.is_socket != 0 else { throw .notASocket(path: path) }
        let probe = cplatform_connect_unix(path)
        switch probe {
        case 0...:
            cplatform_close(probe)
            throw .socketInUse(path: path, holder: nil)
        case -EAGAIN: throw .socketInUse(path: path, holder: nil)
        case -ECONNREFUSED:
            _ = try step("removing the old socket \(path)") { () throws(SystemError) in
                try checked(cplatform_unlink(path))
            }
        case -ENOENT: break
        default: throw .system(what: "trying the old socket \(path)", SystemError(code: -probe))
        }
    }
}

/// The number of connections that may wait to be accepted.
let listenBacklog: Int32 = 1024

private func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

private func facts(of path: String) -> cplatform_file? {
    var facts = cplatform_file()
    return cplatform_file_facts(path, &facts) < 0 ? nil : facts
}
