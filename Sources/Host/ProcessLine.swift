import Core
import Glibc

/// A process may end while its files in `/proc` are read; they are gone then, or its pid belongs to another process. A
/// process therefore counts as outside all agents only if its line of ancestors was read twice with one result.
extension ProcessTable {
    /// Returns true if the process belongs to an agent: the process or one of its ancestors was started with one of
    /// `AgentMarks` in its environment, is one of `agents` (pid and start time), or is listed by an agent as its own.
    ///
    /// Returns true as well where that cannot be known: the environment cannot be read, which for a living process of
    /// our own user is no accident; the process ends meanwhile; or the process was started after `connection`.
    ///
    /// - Parameter connection: The time at which the process connected, in milliseconds since the machine was started.
    package func runsInsideAgent(_ pid: Int32, agents: [Int32: UInt64], connection: Int64? = nil) -> Bool {
        for _ in 0..<Self.attempts {
            if let isInside = examine(pid, agents, connection) { return isInside }
        }
        return true
    }

    /// Examines the process once. Returns `nil` if the line of ancestors changed meanwhile.
    private func examine(_ pid: Int32, _ agents: [Int32: UInt64], _ connection: Int64?) -> Bool? {
        let line = line(of: pid)
        guard let process = line.first, line.count < Self.longestLine, isMarked(pid) == false else { return true }
        if let connection, process.started > Self.ticks(connection) { return true }
        if line.contains(where: { isAgent($0, agents) }) { return true }
        if line.dropFirst().contains(where: { isMarked($0.pid) == true }) { return true }
        // A process is older than its children. A younger one has got the pid of their parent, which has ended.
        guard zip(line, line.dropFirst()).allSatisfy({ $0.started >= $1.started }) else { return nil }
        return self.line(of: pid) == line && startTime(of: pid) != nil ? false : nil
    }

    private func isAgent(_ process: Generation, _ agents: [Int32: UInt64]) -> Bool {
        [agents[process.pid], listed(process.pid)].contains(process.started)
    }

    /// Returns the process and its ancestors up to the first that cannot be read: processes of other users may be
    /// hidden. Process 1 is included, because the first process of a container can be an agent.
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

    /// Converts milliseconds since the machine was started to clock ticks, the unit of start times.
    private static func ticks(_ milliseconds: Int64) -> UInt64 {
        UInt64(max(0, milliseconds)) * UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))) / 1000
    }

    /// The number of processes in a line from which the process counts as inside an agent: no person's line is as long.
    private static let longestLine = 64
    /// The number of examinations. A further one is needed if the shell of a person's script ends during the first.
    private static let attempts = 3
}
