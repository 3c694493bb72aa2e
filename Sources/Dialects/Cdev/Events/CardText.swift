import OrderedJSON
import Text

/// What a card says of a tool's call: its kind, what it is about, one line, and some of the content.
struct CardText: Sendable, Hashable {
    enum Kind: String, CaseIterable {
        case bash = "bash_command"
        case fileEdit = "file_edit"
        case fileRead = "file_read"
        case fileWrite = "file_write"
        case mcp = "mcp_tool"
        case other = "tool_use"
    }

    var kind: Kind
    var target = ""
    var description: String
    var preview = ""

    init(tool: String, input: JSON) {
        switch tool {
        case "AskUserQuestion": self.init(questions: input)
        case "Bash": self.init(bash: input)
        case "Edit", "MultiEdit", "NotebookEdit": self.init(edit: input)
        case "ExitPlanMode":
            self.init(
                kind: .other, description: "Leave plan mode and begin", preview: Self.cut(input.text("plan"), 500))
        case "Read": self.init(kind: .fileRead, verb: "Read", input: input)
        case "Write":
            self.init(kind: .fileWrite, verb: "Write to", input: input)
            if target.isEmpty { description = "Write file" }
            preview = Self.firstLines(input.text("content"))
        default: self.init(other: tool, input: input)
        }
    }

    private init(kind: Kind, target: String = "", description: String, preview: String = "") {
        self.kind = kind
        self.target = target
        self.description = description
        self.preview = preview
    }

    private init(kind: Kind, verb: String, input: JSON) {
        let path = input.text("file_path").isEmpty ? input.text("notebook_path") : input.text("file_path")
        let name = path.split(separator: "/").last.map(String.init) ?? "file"
        self.init(kind: kind, target: path, description: "\(verb) \(name)")
    }

    private init(bash input: JSON) {
        let command = input.text("command")
        let summary = input.text("description")
        self.init(kind: .bash, target: command, description: Self.cut(summary.isEmpty ? command : summary, 80))
    }

    private init(edit input: JSON) {
        self.init(kind: .fileEdit, verb: "Edit", input: input)
        let new = input["new_string"] ?? input["new_source"] ?? input["edits"]?.arrayValue?.first?["new_string"]
        preview = Self.cut(new?.stringValue ?? "", 200)
    }

    private init(questions input: JSON) {
        let questions = input["questions"]?.arrayValue ?? []
        let first = questions.first?.text("question") ?? ""
        let lines = questions.map { question in
            let labels = (question["options"]?.arrayValue ?? []).map { $0.text("label") }
            return "\(question.text("question")) \(labels.joined(separator: " / "))"
        }
        self.init(
            kind: .other, target: first, description: Self.cut("Claude asks: \(first)", 80),
            preview: Self.cut(lines.joined(separator: "\n"), 500))
    }

    private init(other tool: String, input: JSON) {
        let keys = ["url", "path", "file_path", "selector", "command", "query"]
        let target = keys.lazy.map { input.text($0) }.first { !$0.isEmpty } ?? ""
        guard let (server, name) = Self.mcpNames(tool) else {
            self.init(kind: .other, target: target, description: "Use \(Self.cut(tool, 64)) tool")
            return
        }
        let both = "\(server)/\(name)"
        self.init(
            kind: .mcp, target: target.isEmpty ? both : target,
            description: Self.cut(target.isEmpty ? "Use MCP tool: \(both)" : "Use MCP \(both): \(target)", 160))
    }

    /// `mcp__server__tool`; a server's name may hold single underscores.
    private static func mcpNames(_ tool: String) -> (server: String, tool: String)? {
        guard tool.hasPrefix("mcp__") else { return nil }
        let rest = tool.dropFirst(5)
        guard let bars = rest.firstPlace(of: "__") else { return nil }
        let (server, name) = (rest[..<bars.lowerBound], rest[bars.upperBound...])
        return server.isEmpty || name.isEmpty ? nil : (String(server), String(name))
    }

    /// At most `limit` characters; a longer text ends in `...`.
    private static func cut(_ text: String, _ limit: Int) -> String {
        // Looking at the whole of a text of megabytes to count its characters would hold up everybody.
        guard text.utf8.count > limit, text.prefix(limit + 1).count > limit else { return text }
        return text.prefix(limit - 3) + "..."
    }

    private static func firstLines(_ text: String) -> String {
        let start = text.prefix(2000)
        let lines = start.split(separator: "\n", maxSplits: 5, omittingEmptySubsequences: false)
        let shown = lines.prefix(5).joined(separator: "\n")
        return cut(lines.count > 5 || start.endIndex < text.endIndex ? shown + "\n..." : shown, 500)
    }
}

extension JSON {
    /// The member's text, `""` where there is none.
    fileprivate func text(_ key: String) -> String {
        self[key]?.stringValue ?? ""
    }
}
