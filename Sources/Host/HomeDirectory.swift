import CPlatform
import Glibc
import Platform

/// The directory `$CDEV_HOME`, private to its user (0700). Its lock allows one daemon in it at a time.
package final class HomeDirectory: Sendable {
    package let path: String
    private let lock: Locked<Int32?>

    /// Creates the directory where it is missing and takes the lock, which is released with this object or the process.
    package init(path: String) throws(HomeError) {
        self.path = path
        lock = Locked(try Self.takeLock(path))
        unlink(Self.addressPath(path))
    }

    deinit {
        release()
    }

    /// Releases the lock, so that the next daemon can take it.
    package func release() {
        let held = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        guard let held else { return }
        unlink(Self.addressPath(path))
        cplatform_close(held)
    }

    /// Takes the lock again if its file was deleted or replaced, and creates the directory if it is missing: a second
    /// daemon would find the new file unlocked. Does nothing after `release`.
    /// - Returns: True if the lock was taken again.
    package func restoreLock() throws(HomeError) -> Bool {
        guard let held = lock.withLock({ $0 }), !Self.isInPlace(held, Self.lockPath(path)) else { return false }
        let new = try Self.takeLock(path)
        let isReleased = lock.withLock { lock in
            if lock != nil { lock = new }
            return lock == nil
        }
        cplatform_close(isReleased ? new : held)
        return !isReleased
    }

    private static func takeLock(_ path: String) throws(HomeError) -> Int32 {
        try prepare(path)
        var lock = cplatform_lock_file(lockPath(path))
        // A program that a killed daemon was about to start has its files until it is that program.
        for _ in 0..<100 where lock == -EWOULDBLOCK && isHolderGone(path) {
            usleep(10_000)
            lock = cplatform_lock_file(lockPath(path))
        }
        if lock == -EWOULDBLOCK { throw occupied(path) }
        guard lock >= 0 else { throw .system("the lock \(lockPath(path))", code: -lock) }
        noteNamespaces(in: lock)
        return lock
    }

    /// Writes behind the pid which processes this daemon sees.
    private static func noteNamespaces(in lock: Int32) {
        let note = Array((ProcessNamespaces.own.names.joined(separator: "\n") + "\n").utf8)
        // Without it, the only thing that is missing is what `hidesCaller` tells.
        if lseek(lock, 0, SEEK_END) >= 0, write(lock, note, note.count) < 0 {}
    }

    /// True if this process is in namespaces in which it does not see what the last daemon of the home saw, such as the
    /// processes that started it.
    package static func hidesCaller(_ path: String) -> Bool {
        guard let bytes = FileBytes.read(lockPath(path), limit: 4096) else { return false }
        let names = bytes.split(separator: UInt8(ascii: "\n")).dropFirst().map { String(decoding: $0, as: UTF8.self) }
        return ProcessNamespaces.own.isHidden(from: ProcessNamespaces(names: names))
    }

    private static func isInPlace(_ lock: Int32, _ path: String) -> Bool {
        var held = stat()
        var now = stat()
        guard fstat(lock, &held) == 0, lstat(path, &now) == 0 else { return false }
        return held.st_dev == now.st_dev && held.st_ino == now.st_ino
    }

    /// Writes down where the daemon can be reached, for the error message of another daemon that is given this home.
    package func note(addresses: String) {
        // Without the file, that message only lacks the addresses.
        try? AtomicFile.replace(Self.addressPath(path), with: Array(addresses.utf8))
    }

    private static func prepare(_ path: String) throws(HomeError) {
        var parent = ""
        for part in path.split(separator: "/") {
            parent += "/\(part)"
            // Missing parents are created for this user only, too.
            if mkdir(parent, 0o700) != 0, errno != EEXIST { throw .system("making \(parent)", code: errno) }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system("looking at \(path)", code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { throw .foreign(path) }
        if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { throw .system("closing \(path)", code: errno) }
    }

    private static func isHolderGone(_ path: String) -> Bool {
        let pid = cplatform_lock_holder(lockPath(path))
        return pid > 0 && kill(pid, 0) < 0 && errno == ESRCH
    }

    /// The pid of the daemon that runs in the directory; `nil` if none does.
    package static func owner(of path: String) -> Int32? { ProcessTable.daemon(holding: lockPath(path)) }

    private static func occupied(_ path: String) -> HomeError {
        let pid = cplatform_lock_holder(lockPath(path))
        let addresses = FileBytes.read(addressPath(path), limit: 4096).map { String(decoding: $0, as: UTF8.self) }
        return .occupied(home: path, pid: pid > 0 ? pid : nil, addresses: addresses)
    }

    /// The file that keeps a second daemon out.
    package var lockPath: String { Self.lockPath(path) }

    private static func lockPath(_ path: String) -> String { path + "/daemon.lock" }
    private static func addressPath(_ path: String) -> String { path + "/daemon.address" }
}

/// The reason why a daemon cannot use a directory as its home.
package enum HomeError: Error, Sendable, CustomStringConvertible {
    /// The path is not a directory, or the directory belongs to another user.
    case foreign(String)
    /// Another daemon serves this home. `addresses` is text for people.
    case occupied(home: String, pid: Int32?, addresses: String?)
    /// `code` is a positive `errno`.
    case system(String, code: Int32)

    package var description: String {
        switch self {
        case .foreign(let path): "\(path) is not a directory of this user; choose another with --home"
        case .occupied(let home, let pid, let addresses):
            "a daemon serves \(home) already\(pid.map { ": pid \($0)" } ?? "")\(addresses.map { ", \($0)" } ?? "")"
        case .system(let what, let code): "\(what) failed: \(SystemError(code: code))"
        }
    }
}
