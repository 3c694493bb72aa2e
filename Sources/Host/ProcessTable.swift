import CPlatform
import Core
import Glibc
import Platform

/// Reads facts about other processes from `/proc`.
package struct ProcessTable: Sendable {
    let root: String
    let listed: @Sendable (Int32, ProcessEnvironment?) -> UInt64?

    /// - Parameters:
    ///   - root: Another `/proc`, for tests.
    ///   - listed: Returns the start time of the process with this pid from the list of an agent that names it as its
    ///     own, which the process's variables may lead to; `nil` if no agent does.
    package init(root: String = "/proc", listed: @escaping @Sendable (Int32, ProcessEnvironment?) -> UInt64?) {
        self.root = root
        self.listed = listed
    }

    /// Returns the start time in clock ticks since boot, which identifies a process together with its pid. Returns
    /// `nil` for a process that has ended, even if its parent has not asked for its exit status (tmux may never do
    /// that).
    package func startTime(of pid: Int32) -> UInt64? {
        guard let fields = fields(of: pid), fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return UInt64(fields[19])
    }

    /// The kernel's identifier of the machine's last start; empty where it cannot be read.
    package var boot: String {
        let text = read("sys/kernel/random/boot_id") ?? []
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    package func parent(of pid: Int32) -> Int32? {
        fields(of: pid).flatMap { $0.count > 1 ? Int32($0[1]) : nil }
    }

    /// Returns the nearest ancestor whose name is `name`. Looks at three ancestors: a shell or two may be between them.
    package func ancestor(of pid: Int32, named name: String) -> Int32? {
        var current = pid
        for _ in 0..<3 {
            guard let parent = parent(of: current), parent > 1 else { return nil }
            if self.name(of: parent) == name { return parent }
            current = parent
        }
        return nil
    }

    /// Returns true if `ancestor` started the process, or started one that did.
    package func isDescendant(_ pid: Int32, of ancestor: Int32) -> Bool {
        var current = pid
        for _ in 0..<Self.mostGenerations {
            guard let parent = parent(of: current), parent > 1 else { return false }
            if parent == ancestor { return true }
            current = parent
        }
        return false
    }

    /// A hook runs below a shell or two.
    private static let mostGenerations = 8

    /// Returns the processes of our own user whose name (`comm`, at most 15 bytes) is `name`, without those that
    /// another of them started.
    package func processes(named name: String) -> [Int32] {
        let found = pids().filter { self.name(of: $0) == name }
        return found.filter { pid in parent(of: pid).map { !found.contains($0) } ?? true }
    }

    /// The pid of the running daemon that holds a lock; `nil` if none does. The kernel is asked, because taking the lock
    /// to find out would keep a daemon from starting meanwhile. It may name one that was killed.
    package static func daemon(holding lock: String) -> Int32? {
        let pid = cplatform_lock_holder(lock)
        return pid > 0 && ProcessTable { _, _ in nil }.processes(named: "cdev").contains(pid) ? pid : nil
    }

    func pids() -> [Int32] {
        DirectoryNames.all(in: root).compactMap { Int32($0) }.filter(isOurs).sorted()
    }

    private func isOurs(_ pid: Int32) -> Bool {
        var attributes = stat()
        return stat("\(root)/\(pid)", &attributes) == 0 && attributes.st_uid == geteuid()
    }

    private func name(of pid: Int32) -> String? {
        read("\(pid)/comm").map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    }

    /// Returns the fields of `stat` after the name, which may itself contain spaces and brackets (proc(5)).
    func fields(of pid: Int32) -> [Substring]? { nameAndFields(of: pid)?.fields }

    func nameAndFields(of pid: Int32) -> (name: String, fields: [Substring])? {
        guard let bytes = read("\(pid)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let name = bytes[..<end].drop { $0 != UInt8(ascii: "(") }.dropFirst()
        let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
        return (String(decoding: name, as: UTF8.self), fields)
    }

    /// Returns the path of the program that the process runs, as the kernel has it; `nil` where it may not be known.
    func executable(of pid: Int32) -> String? { target(of: "\(pid)/exe") }

    /// Returns what a link of `/proc` leads to, as the kernel writes it.
    func target(of link: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { bytes in
            readlink("\(root)/\(link)", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    private func read(_ name: String) -> [UInt8]? {
        read(name, atMost: Self.longestFile).flatMap { $0.count > Self.longestFile ? nil : $0 }
    }

    /// Reads a file to its end, because files in `/proc` have no size; of one that is longer than `limit` a little more
    /// than that. Returns `nil` where reading fails.
    func read(_ name: String, atMost limit: Int) -> [UInt8]? {
        let file = open("\(root)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count <= limit {
            let count = Glibc.read(file, &chunk, chunk.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private static let longestFile = 8 << 20
}
