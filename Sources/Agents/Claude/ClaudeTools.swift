package import Core
import Text

/// Claude Code's tools (2.1.x): the kind of each, and the roles of its input's members. Other agents' tools are
/// translated into these names where their hooks come in.
package struct ClaudeTools: ToolCatalog {
    package init() {}

    package func tool(named name: String, of agent: Agent) -> Tool { Self.tool(named: name) }

    package static func tool(named name: String) -> Tool {
        if let tool = known[name] { return tool }
        let title = serverTitle(name)
        return Tool(name: name, kind: title == nil ? .other : .mcpTool, members: usual, title: title)
    }

    /// `server/tool` of `mcp__server__tool`; a server's name may hold single underscores.
    private static func serverTitle(_ name: String) -> String? {
        guard name.hasPrefix("mcp__") else { return nil }
        let rest = name.dropFirst(5)
        guard let bars = rest.firstPlace(of: "__") else { return nil }
        let (server, tool) = (rest[..<bars.lowerBound], rest[bars.upperBound...])
        return server.isEmpty || tool.isEmpty ? nil : "\(server)/\(tool)"
    }

    /// The usual names of members, for tools that are not listed here.
    private static let usual: ToolMembers = [
        .command: "command", .file: "file_path", .note: "description", .path: "path", .pattern: "pattern",
        .prompt: "prompt", .query: "query", .selector: "selector", .url: "url",
    ]

    private static let known = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let all = [
        Tool(name: "Agent", kind: .agent, members: usual, title: "Start a subagent"),
        Tool(
            name: "AskUserQuestion", kind: .question,
            members: [
                .answers: "answers", .questions: "questions", .question: "question", .header: "header",
                .multiple: "multiSelect", .options: "options", .label: "label", .meaning: "description",
            ], title: "Claude asks"),
        Tool(
            name: "Bash", kind: .shellCommand,
            members: [.command: "command", .note: "description", .timeout: "timeout"], title: "Run a command"),
        Tool(
            name: "Edit", kind: .fileChanges,
            members: [
                .file: "file_path", .old: "old_string", .new: "new_string", .everywhere: "replace_all",
            ], title: "Change a file"),
        Tool(name: "ExitPlanMode", kind: .plan, members: [.plan: "plan"], title: "Review the plan"),
        Tool(name: "Glob", kind: .search, members: [.path: "path", .pattern: "pattern"], title: "List files"),
        Tool(name: "Grep", kind: .search, members: [.path: "path", .pattern: "pattern"], title: "Search files"),
        Tool(name: "LS", kind: .search, members: [.path: "path"]),
        Tool(
            name: "Monitor", kind: .shellCommand,
            members: [.command: "command", .note: "description", .timeout: "timeout_ms"], title: "Watch a command"),
        Tool(
            name: "MultiEdit", kind: .fileChanges,
            members: [
                .file: "file_path", .edits: "edits", .old: "old_string", .new: "new_string",
                .everywhere: "replace_all",
            ], title: "Change a file"),
        Tool(
            name: "NotebookEdit", kind: .fileChanges,
            members: [
                .file: "notebook_path", .content: "new_source", .cell: "cell_id", .cellMode: "edit_mode",
            ], title: "Change a notebook"),
        Tool(
            name: "Read", kind: .read, members: [.file: "file_path", .line: "offset"], title: "Read a file"),
        Tool(name: "Task", kind: .agent, members: usual, title: "Start a subagent"),
        Tool(name: "WebFetch", kind: .fetch, members: [.url: "url", .prompt: "prompt"], title: "Fetch a page"),
        Tool(name: "WebSearch", kind: .fetch, members: [.query: "query"], title: "Search the web"),
        Tool(
            name: "Write", kind: .fileChanges, members: [.file: "file_path", .content: "content"], title: "Write a file"
        ),
    ]

    /// Tools that Claude Code runs without asking, or that only start other tools; a final `*` matches any rest.
    package static let passthrough = [
        "Agent", "BashOutput", "EnterPlanMode", "Glob", "Grep", "KillShell", "LS", "ListMcpResources", "NotebookRead",
        "Read", "ReadMcpResource", "Skill", "Task*", "TodoRead", "TodoWrite", "ToolSearch",
    ]
}
