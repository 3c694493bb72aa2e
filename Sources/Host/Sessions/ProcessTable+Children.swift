package import Core
import Glibc
import Platform

/// Finds the processes of run sessions.
extension ProcessTable {
    /// The process whose input is this FIFO and that leads a session: the child of a run session, also where an earlier
    /// daemon was killed before it wrote down the child's number. What a child starts may share its input, but leads no
    /// session with it.
    package func child(readingFrom fifo: String) -> ProcessIdentity? {
        var wanted = stat()
        guard lstat(fifo, &wanted) == 0, wanted.st_mode & S_IFMT == S_IFIFO else { return nil }
        let readers = pids().filter { pid in
            var input = stat()
            return stat("\(root)/\(pid)/fd/0", &input) == 0 && input.st_dev == wanted.st_dev
                && input.st_ino == wanted.st_ino && leadsSession(pid)
        }
        return readers.compactMap(identity).min { ($0.startTime, $0.pid) < ($1.startTime, $1.pid) }
    }

    /// The process with its start time; `nil` where it has ended.
    package func identity(of pid: Int32) -> ProcessIdentity? {
        startTime(of: pid).map { ProcessIdentity(pid: pid, startTime: $0) }
    }

    /// Returns the processes that a process started, and those that they started, parents first.
    package func descendants(of ancestor: Int32) -> [ProcessIdentity] {
        let parents = Dictionary(grouping: pids()) { parent(of: $0) ?? 0 }
        var (found, next) = ([Int32](), [ancestor])
        while let pid = next.popLast(), found.count < Self.mostDescendants {
            let children = parents[pid] ?? []
            found += children
            next += children
        }
        return found.compactMap(identity)
    }

    /// The processes that were started with this variable, `NAME=value`, however far from who set it. Between the start of a
    /// program and its first step the kernel shows none of its variables, so such a process is looked at again.
    /// - Parameter pause: Returns after so many microseconds.
    package func processes(
        with variable: String, pause: (UInt32) -> Void = { _ = usleep($0) }
    ) -> [ProcessIdentity] {
        let wanted = Array(variable.utf8)
        var (found, next) = ([Int32](), pids())
        for _ in 0..<Self.mostLooks where !next.isEmpty {
            var unread: [Int32] = []
            for pid in next {
                let bytes = FileBytes.read("\(root)/\(pid)/environ", limit: Self.longestEnvironment)
                if bytes?.split(separator: 0).contains(where: { $0.elementsEqual(wanted) }) == true {
                    found.append(pid)
                }
                if bytes?.isEmpty == true, isNew(pid) { unread.append(pid) }
            }
            next = unread
            if !next.isEmpty { pause(Self.betweenLooks) }
        }
        return found.compactMap(identity)
    }

    /// True if the process lives, and was started within the last two seconds.
    private func isNew(_ pid: Int32) -> Bool {
        guard let start = startTime(of: pid) else { return false }
        let ticks = UInt64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        return start + 2 * ticks > UInt64(max(SystemTime.sinceBoot, 0)) / 1000 * ticks
    }

    /// On a busy machine it took 31 ms.
    private static let mostLooks = 40
    /// Microseconds.
    private static let betweenLooks: UInt32 = 5000

    /// Bytes; the kernel takes no more of arguments and variables together.
    private static let longestEnvironment = 8 << 20

    /// Kills processes, unless their numbers are others' now.
    package func kill(_ processes: [ProcessIdentity]) {
        for process in processes where startTime(of: process.pid) == process.startTime {
            Glibc.kill(process.pid, SIGKILL)
        }
    }

    /// Far more than a session ever runs.
    private static let mostDescendants = 10_000

    /// The fields after the name: state, parent, group, session.
    private func leadsSession(_ pid: Int32) -> Bool {
        fields(of: pid).map { $0.count > 3 && Int32($0[3]) == pid } ?? false
    }
}
