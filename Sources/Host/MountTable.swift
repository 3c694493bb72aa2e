import Glibc
import Platform
import Text

/// What is mounted where, and which of it may not answer: a network's file system, one of another process (FUSE), and
/// what is mounted when it is first used.
package struct MountTable: Sendable {
    private struct Mount {
        let path: String
        let mayHang: Bool
    }

    private let mounts: [Mount]
    package let mayHangAnywhere: Bool

    /// File systems that a disk of this machine, or its memory, answers for. Every other one may hang.
    private static let prompt: Set<String> = [
        "bcachefs", "bpf", "btrfs", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "devtmpfs", "efivarfs",
        "erofs",
        "exfat", "ext2", "ext3", "ext4", "f2fs", "fusectl", "hugetlbfs", "iso9660", "jfs", "mqueue", "nsfs", "ntfs3",
        "overlay", "proc", "pstore", "ramfs", "reiserfs", "rootfs", "securityfs", "squashfs", "sysfs", "tmpfs",
        "tracefs", "udf", "vfat", "xfs", "zfs",
    ]

    /// - Parameter mountinfo: `/proc/self/mountinfo` (proc_pid_mountinfo(5)); one that cannot be read may hang anywhere.
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

    /// Blanks and backslashes are written as `\040`.
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

    /// Whether the file system of an absolute path without links may not answer. Of two at one place the later counts.
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

/// The table of this machine, read again when the kernel says that it has changed.
final class Mounts: Sendable {
    static let ofThisMachine = Mounts()

    private let file: Int32
    private let table = Locked<MountTable?>(nil)

    private init() {
        file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    }

    var current: MountTable {
        table.withLock { table in
            var question = pollfd(fd: file, events: Int16(POLLPRI), revents: 0)
            let hasChanged = poll(&question, 1, 0) != 0
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

/// How much one call may ask the disk while others wait. Once it would be more, or of a disk that may not answer,
/// everything said counts for nothing.
final class DiskLimit: @unchecked Sendable {  // guard: made for one call, and used by the thread that asks about it
    private let mounts: MountTable
    private var left = 96
    private(set) var isExceeded = false

    /// Names looked at in one directory.
    private static let mostNames = 256

    init(_ mounts: MountTable) {
        self.mounts = mounts
    }

    /// Whether the kernel may be asked about this path, all of whose directories are no links.
    func allows(_ path: String) -> Bool {
        left -= 1
        if left < 0 || mounts.mayHang(path) { isExceeded = true }
        return !isExceeded
    }

    /// The same where the kernel would follow links on the way or at the path's end.
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

    /// Whether so many names of one directory may be looked at.
    func allows(names count: Int) -> Bool {
        if count > Self.mostNames { isExceeded = true }
        return !isExceeded
    }
}
