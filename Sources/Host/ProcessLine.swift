import Core
import Glibc

/// Processes that were asked for by their pid may end while they are looked at, and the kernel then tells less of them, or
/// of somebody else. So nobody is cleared by what was not read twice.
extension ProcessTable {
    /// Whether the process belongs to an agent: it or one of its ancestors was started with one of `AgentMarks` in its
    /// environment, is one of `agents` (pid and start time), or is one that an agent lists as its own.
    ///
    /// True as well where that cannot be known: its environment is not to be read, which for a living process of our own
    /// user is no accident; or it ends meanwhile, or has this pid only since a moment after `connection`.
    ///
    /// - Parameter connection: When the process connected, in milliseconds since the machine was started.
    package func runsInsideAgent(_ pid: Int32, agents: [Int32: UInt64], connection: Int64? = nil) -> Bool {
        for _ in 0..<Self.attempts {
            if let isInside = look(at: pid, agents, connection) { return isInside }
        }
        return true
    }

    /// Nil where the line of ancestors changed meanwhile.
    private func look(at pid: Int32, _ agents: [Int32: UInt64], _ connection: Int64?) -> Bool? {
        let line = line(of: pid)
        guard let process = line.first, line.count < Self.longestLine, isMarked(pid) == false else { return true }
        if let connection, process.started > Self.ticks(connection) { return true }
        if line.contains(where: { isAgent($0, agents) }) { return true }
        if line.dropFirst().contains(where: { isMarked($0.pid) == true }) { return true }
        // A process is not younger than its children: one that is has the pid of their parent, who has ended.
        guard zip(line, line.dropFirst()).allSatisfy({ $0.started >= $1.started }) else { return nil }
        return self.line(of: pid) == line && startTime(of: pid) != nil ? false : nil
    }

    private func isAgent(_ process: Generation, _ agents: [Int32: UInt64]) -> Bool {
        [agents[process.pid], listed(process.pid)].contains(process.started)
    }

    /// The process and its ancestors, as far as they may be read: those of other users may be hidden. The first process
    /// of a container can be an agent too.
    private func line(of pid: Int32) -> [Generation] {
        var line: [Generation] = []
        var next = pid
        while next > 0, line.count < Self.longestLine, let generation = generation(next) {
            line.append(generation)
            next = generation.parent
        }
        return line
    }

    private struct Generation: Equatable {
        let pid, parent: Int32
        let started: UInt64
    }

    private func generation(_ pid: Int32) -> Generation? {
        guard let fields = fields(of: pid), fields.count > 19, let parent = Int32(fields[1]),
            let started = UInt64(fields[19])
        else { return nil }
        return Generation(pid: pid, parent: parent, started: started)
    }

    /// A start time that belongs to this moment.
    private static func ticks(_ milliseconds: Int64) -> UInt64 {
        UInt64(max(0, milliseconds)) * UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))) / 1000
    }

    /// Generations looked at; a longer line of ancestors is nothing a person has.
    private static let longestLine = 64
    /// A script of a person's whose shell ends at that very moment is looked at again.
    private static let attempts = 3
}
