import Agents
import Glibc
package import Host

/// Claude Code's own lists of its processes. Where a list lies is told by the process that is looked for, not by who asks:
/// a command inside an agent can be given any environment.
package enum ListedAgents {
    /// The start time of the process, if one of the lists states it as that of a Claude process: a wrong entry in one of
    /// them hides nothing.
    /// - Parameter environment: The variables that the process was started with.
    package static func startTime(of pid: Int32, _ environment: ProcessEnvironment?) -> UInt64? {
        guard let started = ProcessTable(listed: { _, _ in nil }).startTime(of: pid) else { return nil }
        return registries(of: environment).contains { $0.startTime(of: pid) == started } ? started : nil
    }

    private static func registries(of environment: ProcessEnvironment?) -> Set<ClaudeRegistry> {
        let named = environment.map { variables in ClaudeRegistry { variables.value(of: $0) } }
        let usual = home.map { ClaudeRegistry(directory: $0 + "/.claude") }
        return Set([ClaudeRegistry(), named, usual].compactMap(\.self))
    }

    /// The user's home by the system's record.
    private static let home: String? = getpwuid(geteuid()).flatMap { entry in
        entry.pointee.pw_dir.map { String(cString: $0) }
    }
}
