import OrderedJSON
import Text

/// One of Grok's tools as the tool of Claude Code that does the same, so that deny rules, cards and previews know it. A
/// tool with no such relative keeps its name.
struct GrokTool {
    let name: String
    private let keys: [String: String]

    init(_ own: String) {
        if let (name, keys) = Self.known[own] {
            self.name = name
            self.keys = keys
        } else {
            // A server's tool is called `server__tool`.
            name = own.holds("__") && !own.hasPrefix("mcp__") ? "mcp__" + own : own
            keys = [:]
        }
    }

    /// The input under the relative's keys; whatever else there is stays as it came. Grok takes paths from the directory
    /// it works in, rules and previews need whole ones.
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
        // It runs a line in the background and tells what that prints.
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
