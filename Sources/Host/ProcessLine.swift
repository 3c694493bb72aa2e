import Core
import Glibc

/// A process may end while its files in `/proc` are read; they are gone then, or its pid belongs to another process. A
/// process therefore counts as outside all agents only if its kin was read twice with one result.
///
/// Its kin are its ancestors, and the leaders of its and their sessions and process groups with the ancestors of those: a
/// process that was left by its parent has another one by now, but stays in its session until it begins one of its own.
extension ProcessTable {
    /// Returns true if the process belongs to an agent: the process or one of its kin was started with one of `AgentMarks`
    /// in its environment, runs one of `AgentPrograms`, is one of `agents` (pid and start time), or is listed by an agent as
    /// its own. Each of these is enough, because a command inside an agent can take some of them away.
    ///
    /// Returns true as well where that cannot be known: the environment cannot be read, which for a living process of
    /// our own user is no accident; the environments of its kin are larger than is read of them; the process ends
    /// meanwhile; or the process was started after `connection`.
    ///
    /// - Parameter connection: The time at which the process connected, in milliseconds since the machine was started.
    package func runsInsideAgent(_ pid: Int32, agents: [Int32: UInt64], connection: Int64? = nil) -> Bool {
        for _ in 0..<Self.attempts {
            if let isInside = examine(pid, agents, connection) { return isInside }
        }
        return true
    }

    /// Examines the process once. Returns `nil` if its kin changed meanwhile.
    private func examine(_ pid: Int32, _ agents: [Int32: UInt64], _ connection: Int64?) -> Bool? {
        let kin = kin(of: pid)
        guard let process = kin.first, kin.count < Self.mostKin else { return true }
        if let connection, process.started > Self.ticks(connection) { return true }
        if isOfAgent(kin, agents) { return true }
        // A process is older than its children. A younger one has got the pid of their parent, which has ended.
        let starts = Dictionary(uniqueKeysWithValues: kin.map { ($0.pid, $0.started) })
        guard kin.allSatisfy({ $0.started >= starts[$0.parent] ?? 0 }) else { return nil }
        return self.kin(of: pid) == kin && startTime(of: pid) != nil ? false : nil
    }

    /// Returns true if one of the processes is an agent or has a mark of one, or if that cannot be known.
    private func isOfAgent(_ kin: [Generation], _ agents: [Int32: UInt64]) -> Bool {
        var limit = Self.mostVariables
        for process in kin {
            var environment: ProcessEnvironment?
            switch variables(of: process.pid, atMost: limit) {
            case .known(let variables): environment = variables
            case .tooMany: return true
            // Ancestors may be of other users.
            case .unreadable: if process == kin.first { return true }
            }
            if environment?.hasAgentMark == true || runsAgent(process.pid, process.name) { return true }
            if [agents[process.pid], listed(process.pid, environment)].contains(process.started) { return true }
            limit -= environment?.bytes.count ?? 0
        }
        return false
    }

    private func runsAgent(_ pid: Int32, _ name: String) -> Bool {
        let words = read("\(pid)/cmdline", atMost: Self.mostWords)?.prefix(Self.mostWords).split(separator: 0) ?? []
        return AgentPrograms.include(
            name: name, file: executable(of: pid) ?? "", words: words.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the process and its kin, as far as they can be read: processes of other users may be hidden. Process 1 is
    /// included, because the first process of a container can be an agent.
    private func kin(of pid: Int32) -> [Generation] {
        var kin: [Generation] = []
        var seen: Set<Int32> = [0]
        var next = [pid]
        while let pid = next.popLast(), kin.count < Self.mostKin {
            guard seen.insert(pid).inserted, let generation = generation(pid) else { continue }
            kin.append(generation)
            next += [generation.group, generation.session, generation.parent]
        }
        return kin
    }

    private struct Generation: Equatable {
        let pid, parent, group, session: Int32
        let name: String
        let started: UInt64
    }

    private func generation(_ pid: Int32) -> Generation? {
        guard let (name, fields) = nameAndFields(of: pid), fields.count > 19, let parent = Int32(fields[1]),
            let group = Int32(fields[2]), let session = Int32(fields[3]), let started = UInt64(fields[19])
        else { return nil }
        return Generation(pid: pid, parent: parent, group: group, session: session, name: name, started: started)
    }

    /// Converts milliseconds since the machine was started to clock ticks, the unit of start times.
    private static func ticks(_ milliseconds: Int64) -> UInt64 {
        UInt64(max(0, milliseconds)) * UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))) / 1000
    }

    /// The number of kin from which the process counts as inside an agent: no person's process has as many.
    private static let mostKin = 64
    /// The bytes of a command line that are read: a program and its script are at its beginning.
    private static let mostWords = 8 << 10
    /// The bytes of all environments of the kin that are read, because the loop waits for them: a person's have some ten
    /// thousand, those of a command inside an agent as many as it likes.
    private static let mostVariables = 1 << 20
    /// The number of examinations. A further one is needed if the shell of a person's script ends during the first.
    private static let attempts = 3
}
