/// How a process inside a coding agent is known: by the variables agents set for the commands they run. The one list of
/// them; whoever asks about an agent asks here.
package enum AgentMarks {
    /// `NAME=` counts with every value; `NAME=VALUE` only as a whole.
    package static let all = [
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

    /// Whether an entry of an environment, `NAME=VALUE`, is one of them.
    package static func contain(_ entry: some Collection<UInt8>) -> Bool {
        patterns.contains { pattern in
            entry.starts(with: pattern) && (pattern.last == UInt8(ascii: "=") || entry.count == pattern.count)
        }
    }

    /// Whether one of them is set.
    package static func areSet(in environment: [String: String]) -> Bool {
        environment.contains { contain("\($0.key)=\($0.value)".utf8) }
    }

    /// The environment without them: for what is no part of the agent though it was started there.
    package static func removed(from environment: [String: String]) -> [String: String] {
        environment.filter { !contain("\($0.key)=\($0.value)".utf8) }
    }

    private static let patterns = all.map { Array($0.utf8) }
}
