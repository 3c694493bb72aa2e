/// The environment variables that coding agents set for the commands they run, by which a process inside an agent is
/// recognised. No other list of them exists.
package enum AgentMarks {
    /// `NAME=` matches every value; `NAME=VALUE` only this one.
    package static let all = [
        // A session of ours, from the start of its process on.
        "CDEV_RUN=",
        "CLAUDECODE=",
        "CODEX_THREAD_ID=",
        "COPILOT_CLI=",
        "CURSOR_AGENT=",
        "GEMINI_CLI=",
        // People set this one to the name of an agent they have defined; for a command it is always 1 (Grok 0.2.111).
        "GROK_AGENT=1",
        "GROK_SESSION_ID=",
        "OPENCODE=",
        "QWEN_CODE=",
    ]

    /// The variables' names.
    package static let names = all.map { String($0.prefix { $0 != "=" }) }

    /// Returns true if an entry of an environment, `NAME=VALUE`, is one of the variables.
    package static func contain(_ entry: some Collection<UInt8>) -> Bool {
        patterns.contains { pattern in
            entry.starts(with: pattern) && (pattern.last == UInt8(ascii: "=") || entry.count == pattern.count)
        }
    }

    /// Returns true if the first byte of an entry is that of one of the variables.
    package static func mayBegin(_ byte: UInt8) -> Bool { firstBytes.contains(byte) }

    /// Returns true if one of the variables is set.
    package static func areSet(in environment: [String: String]) -> Bool {
        environment.contains { contain("\($0.key)=\($0.value)".utf8) }
    }

    /// Returns the environment without the variables, for a program that is started inside an agent but is not part of
    /// it.
    package static func removed(from environment: [String: String]) -> [String: String] {
        environment.filter { !contain("\($0.key)=\($0.value)".utf8) }
    }

    private static let patterns = all.map { Array($0.utf8) }
    private static let firstBytes = Set(patterns.compactMap(\.first)).sorted()
}
