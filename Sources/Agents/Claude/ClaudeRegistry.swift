import Glibc
import OrderedJSON
import Platform

/// Claude Code's own list of its running processes: `sessions/PID.json` in its configuration directory. It is
/// undocumented and files of killed processes stay, so nothing is concluded from an entry that is missing or not
/// understood.
package struct ClaudeRegistry: Sendable {
    private let directory: String?

    /// - Parameter directory: Claude's configuration directory; `nil` if there is no list.
    package init(directory: String?) {
        self.directory = directory
    }

    /// Uses the directory that this process's environment names.
    package init() {
        directory = Self.variable("CLAUDE_CONFIG_DIR") ?? Self.variable("HOME").map { $0 + "/.claude" }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The start time that the entry states for the Claude process with this pid; compare it with the kernel's.
    package func startTime(of pid: Int32) -> UInt64? {
        guard let directory, let bytes = FileBytes.read("\(directory)/sessions/\(pid).json", limit: Self.limit),
            let entry = try? JSON(parsing: bytes), entry["pid"]?.intValue == Int(pid)
        else { return nil }
        return entry["procStart"]?.stringValue.flatMap { UInt64($0) }
    }

    /// Bytes; an entry has a few hundred.
    private static let limit = 64 << 10
}
