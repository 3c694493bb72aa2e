import Core
import OrderedJSON
import Text

/// The texts of a card about a tool call: its kind, its target, a line of description, and the start of the content.
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

    init(tool: Tool, input: JSON) {
        switch tool.kind {
        case .fileChanges: self.init(change: tool, input)
        case .plan:
            let plan = Self.cut(tool.text(.plan, in: input), 500)
            self.init(kind: .other, description: "Leave plan mode and begin", preview: plan)
        case .question: self.init(questions: tool, input)
        case .read: self.init(kind: .fileRead, verb: "Read", tool, input)
        case .shellCommand: self.init(command: tool, input)
        case .agent, .fetch, .mcpTool, .other, .search: self.init(other: tool, input)
        }
    }

    private init(kind: Kind, target: String = "", description: String, preview: String = "") {
        self.kind = kind
        self.target = target
        self.description = description
        self.preview = preview
    }

    private init(kind: Kind, verb: String, _ tool: Tool, _ input: JSON) {
        let path = tool.text(.file, in: input)
        let name = path.pieces(at: "/").last.map(String.init) ?? "file"
        self.init(kind: kind, target: path, description: "\(verb) \(Self.cut(name, 256))")
    }

    private init(command tool: Tool, _ input: JSON) {
        let command = tool.text(.command, in: input)
        let summary = tool.text(.note, in: input)
        self.init(kind: .bash, target: command, description: Self.cut(summary.isEmpty ? command : summary, 80))
    }

    private init(change tool: Tool, _ input: JSON) {
        guard !tool.replacesFile else {
            self.init(kind: .fileWrite, verb: "Write to", tool, input)
            if target.isEmpty { description = "Write file" }
            preview = Self.firstLines(tool.text(.content, in: input))
            return
        }
        self.init(kind: .fileEdit, verb: "Edit", tool, input)
        let first = tool.list(.edits, in: input).first ?? input
        let new = tool.string(.new, in: first) ?? tool.string(.content, in: input)
        preview = Self.cut(new ?? "", 200)
    }

    private init(questions tool: Tool, _ input: JSON) {
        let questions = tool.list(.questions, in: input)
        let first = questions.first.map { tool.text(.question, in: $0) } ?? ""
        let lines = questions.map { question in
            let labels = tool.list(.options, in: question).map { tool.text(.label, in: $0) }
            return "\(tool.text(.question, in: question)) \(labels.joined(separator: " / "))"
        }
        self.init(
            kind: .other, target: first, description: Self.cut("Claude asks: \(first)", 80),
            preview: Self.cut(lines.joined(separator: "\n"), 500))
    }

    private init(other tool: Tool, _ input: JSON) {
        let target = tool.firstText([.url, .path, .file, .selector, .command, .query], in: input) ?? ""
        guard tool.kind == .mcpTool else {
            self.init(kind: .other, target: target, description: "Use \(Self.cut(tool.name, 64)) tool")
            return
        }
        let title = tool.title
        self.init(
            kind: .mcp, target: target.isEmpty ? title : target,
            description: Self.cut(target.isEmpty ? "Use MCP tool: \(title)" : "Use MCP \(title): \(target)", 160))
    }

    /// At most `limit` characters; a longer text ends in `...`.
    private static func cut(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        let start = beginning(text, limit * 8)
        return start.utf8.count == text.utf8.count && start.count <= limit ? text : start.prefix(limit - 3) + "..."
    }

    /// The first `count` scalars. A text may have megabytes, in a letter too, and the loop waits while it is looked at.
    private static func beginning(_ text: String, _ count: Int) -> String {
        String(text.unicodeScalars.prefix(count)).cuttingMarks()
    }

    private static func firstLines(_ text: String) -> String {
        let start = beginning(text, 2000)
        let lines = start.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 5, omittingEmptySubsequences: false)
        let shown = lines.prefix(5).map { String(Substring($0)) }.joined(separator: "\n")
        return cut(lines.count > 5 || start.utf8.count < text.utf8.count ? shown + "\n..." : shown, 500)
    }
}
