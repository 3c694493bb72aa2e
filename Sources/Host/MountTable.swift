import Glibc
import Platform
import Text

/// The mounted file systems, and which of them may hang: those of a network or of another process (FUSE), and those
/// that are mounted when they are first used.
package struct MountTable: Sendable {
    private struct Mount {
        let path: String
        let mayHang: Bool
    }

    private let mounts: [Mount]
    package let mayHangAnywhere: Bool

    /// The types of file systems on a disk or in the memory of this machine. File systems of every other type may hang.
    private static let prompt: Set<String> = [
        "bcachefs", "bpf", "btrfs", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "devtmpfs", "efivarfs",
        "erofs",
        "exfat", "ext2", "ext3", "ext4", "f2fs", "fusectl", "hugetlbfs", "iso9660", "jfs", "mqueue", "nsfs", "ntfs3",
        "overlay", "proc", "pstore", "ramfs", "reiserfs", "rootfs", "securityfs", "squashfs", "sysfs", "tmpfs",
        "tracefs", "udf", "vfat", "xfs", "zfs",
    ]

    /// - Parameter mountinfo: The text of `/proc/self/mountinfo` (proc_pid_mountinfo(5)). Without a mount in it, every
    ///   path may hang.
    package init(mountinfo: String) {
        var mounts = mountinfo.split(separator: "\n").compactMap { Self.mount($0) }
        if mounts.isEmpty { mounts = [Mount(path: "/", mayHang: true)] }
        self.mounts = mounts
        mayHangAnywhere = mounts.contains(where: \.mayHang)
    }

    private static func mount(_ line: Substring) -> Mount? {
        let fields = line.split(separator: " ")
        guard fields.count > 6, let dash = fields[6...].firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
        return Mount(path: unescaped(fields[4]), mayHang: !prompt.contains(String(fields[dash + 1])))
    }

    /// Decodes octal escapes: the kernel writes a space as `\040`.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = field.utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns true if the file system of an absolute path without links may hang. Of two mounts on one directory the
    /// later counts.
    package func mayHang(_ path: String) -> Bool {
        guard mayHangAnywhere else { return false }
        var longest: Mount?
        for mount in mounts where Self.holds(mount.path, path) {
            if mount.path.utf8.count >= longest?.path.utf8.count ?? 0 { longest = mount }
        }
        return longest?.mayHang ?? true
    }

    private static func holds(_ directory: String, _ path: String) -> Bool {
        guard directory != "/" else { return true }
        guard path.utf8.starts(with: directory.utf8) else { return false }
        let next = path.utf8.dropFirst(directory.utf8.count).first
        return next == nil || next == UInt8(ascii: "/")
    }
}

/// The mount table of this machine, read again when the kernel reports a change.
final class Mounts: Sendable {
    static let ofThisMachine = Mounts()

    private let file: Int32
    private let table = Locked<MountTable?>(nil)

    private init() {
        file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    }

    var current: MountTable {
        table.withLock { table in
            var watched = pollfd(fd: file, events: Int16(POLLPRI), revents: 0)
            let hasChanged = poll(&watched, 1, 0) != 0
            if let table, !hasChanged { return table }
            let read = MountTable(mountinfo: text())
            table = read
            return read
        }
    }

    private func text() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < 1 << 20 {
            let count = pread(file, &buffer, buffer.count, off_t(bytes.count))
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Limits the lookups that one call may make on the disk while other calls wait. Once the limit or a file system that may
/// hang is reached, `isExceeded` is true and none of the answers may be used.
final class DiskLimit: @unchecked Sendable {  // guard: made for one call, and used by the thread that asks about it
    private let mounts: MountTable
    /// The number of lookups that may still be made.
    private var left = 96
    /// The bytes of texts that may still be read.
    private var bytesLeft = 32 << 10
    private(set) var isExceeded = false

    /// The number of names that may be read from one directory.
    private static let mostNames = 256

    init(_ mounts: MountTable) {
        self.mounts = mounts
    }

    /// Returns true if the kernel may be asked about this path. None of its directories may be a link.
    func allows(_ path: String) -> Bool {
        left -= 1
        if left < 0 || mounts.mayHang(path) { isExceeded = true }
        return !isExceeded
    }

    /// Returns true if the kernel may be asked about this path and may follow links on the way and at its end.
    func allowsFollowing(_ path: String) -> Bool {
        guard allows(path) else { return false }
        guard mounts.mayHangAnywhere else { return true }
        var end = path.startIndex
        while end < path.endIndex {
            let next = path.utf8.index(after: end)
            end = path.utf8[next...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            let prefix = String(path[..<end])
            var status = stat()
            if mounts.mayHang(prefix) { isExceeded = true }
            guard !isExceeded, lstat(prefix, &status) == 0 else { break }
            if status.st_mode & S_IFMT == S_IFLNK { isExceeded = true }
        }
        return !isExceeded
    }

    /// Returns true if so many bytes of a text may be looked through.
    func allows(bytes count: Int) -> Bool {
        bytesLeft -= count
        if bytesLeft < 0 { isExceeded = true }
        return !isExceeded
    }

    /// Returns true if `count` names of one directory may be read.
    func allows(names count: Int) -> Bool {
        if count > Self.mostNames { isExceeded = true }
        return !isExceeded
    }
}
