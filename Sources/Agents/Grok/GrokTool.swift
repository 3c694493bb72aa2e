import OrderedJSON
import Text

/// A Grok tool under the name of the Claude Code tool that does the same, so that deny rules, cards and previews know
/// it. A tool without an equivalent keeps its name.
struct GrokTool {
    let name: String
    private let keys: [String: String]

    init(_ own: String) {
        if let (name, keys) = Self.known[own] {
            self.name = name
            self.keys = keys
        } else {
            // Grok names an MCP server's tool `server__tool`.
            name = own.holds("__") && !own.hasPrefix("mcp__") ? "mcp__" + own : own
            keys = [:]
        }
    }

    /// The input with the keys of the equivalent tool; other members stay unchanged. Relative paths become absolute,
    /// because Grok resolves them from its working directory and rules and previews need absolute ones. Of two members
    /// that mean the same the result has one.
    func input(_ own: JSONObject, cwd: String) -> JSONObject {
        var members: [(String, JSON)] = []
        for (key, value) in own {
            let key = keys[key] ?? key
            members.append((key, Self.paths.contains(key) ? Self.whole(value, cwd) : value))
        }
        return JSONObject(members)
    }

    private static func whole(_ path: JSON, _ cwd: String) -> JSON {
        guard let text = path.stringValue, let first = text.utf8.first, first != UInt8(ascii: "/"),
            first != UInt8(ascii: "~"), cwd.utf8.first == UInt8(ascii: "/")
        else { return path }
        return .string(cwd.hasSuffix("/") ? cwd + text : cwd + "/" + text)
    }

    private static let paths: Set<String> = ["file_path", "path"]

    private static let known: [String: (String, [String: String])] = [
        "ask_user_question": ("AskUserQuestion", [:]),
        "enter_plan_mode": ("EnterPlanMode", [:]),
        "exit_plan_mode": ("ExitPlanMode", [:]),
        "get_command_or_subagent_output": ("BashOutput", [:]),
        "grep": ("Grep", [:]),
        "kill_command_or_subagent": ("KillShell", [:]),
        "list_dir": ("LS", ["target_directory": "path"]),
        // It runs a command in the background and reports its output.
        "monitor": ("Bash", [:]),
        "read_file": ("Read", ["target_file": "file_path"]),
        "run_terminal_command": ("Bash", ["background": "run_in_background"]),
        "search_replace": ("Edit", [:]),
        "search_tool": ("ToolSearch", [:]),
        "spawn_subagent": ("Agent", [:]),
        "todo_write": ("TodoWrite", [:]),
        "web_fetch": ("WebFetch", [:]),
        "web_search": ("WebSearch", [:]),
        "write": ("Write", [:]),
    ]
}
