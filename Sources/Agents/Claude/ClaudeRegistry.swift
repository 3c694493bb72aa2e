import Glibc
import OrderedJSON
import Platform

/// Claude Code's own list of its running processes: `sessions/PID.json` in its configuration directory. It is
/// undocumented and files of killed processes stay, so nothing is concluded from an entry that is missing or not
/// understood.
package struct ClaudeRegistry: Sendable, Hashable {
    private let directory: String?

    /// - Parameter directory: Claude's configuration directory; `nil` if there is no list.
    package init(directory: String?) {
        self.directory = directory
    }

    /// Uses the directory that this process's environment names.
    package init() {
        self.init { getenv($0).map { String(cString: $0) } }
    }

    /// Uses the directory that Claude Code uses where its variables have these values.
    package init(_ variable: (String) -> String?) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        directory = value("CLAUDE_CONFIG_DIR") ?? value("HOME").map { $0 + "/.claude" }
    }

    /// The start time that the entry states for the Claude process with this pid; compare it with the kernel's.
    package func startTime(of pid: Int32) -> UInt64? {
        entry(of: pid)?["procStart"]?.stringValue.flatMap { UInt64($0) }
    }

    /// The processes that work in a conversation, each with the start time that its entry states.
    package func processes(in conversation: String) -> [(pid: Int32, startTime: UInt64)] {
        pids.compactMap { pid in
            guard let entry = entry(of: pid), entry["sessionId"]?.stringValue == conversation else { return nil }
            return entry["procStart"]?.stringValue.flatMap { UInt64($0) }.map { (pid, $0) }
        }
    }

    private var pids: [Int32] {
        let names = directory.map { DirectoryNames.all(in: $0 + "/sessions", atMost: Self.most) } ?? []
        return names.filter { $0.hasSuffix(".json") }.compactMap { Int32($0.dropLast(5)) }
    }

    private func entry(of pid: Int32) -> JSON? {
        guard let directory, let bytes = FileBytes.read("\(directory)/sessions/\(pid).json", limit: Self.limit),
            let entry = try? JSON(parsing: bytes), entry["pid"]?.intValue == Int(pid)
        else { return nil }
        return entry
    }

    /// Far more than run on a machine; files of killed processes stay.
    private static let most = 10_000

    /// Bytes; an entry has a few hundred. The loop reads one for each ancestor of a caller.
    private static let limit = 8 << 10
}
