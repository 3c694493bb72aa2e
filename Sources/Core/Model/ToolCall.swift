package import OrderedJSON

/// A tool with an input and, except at PermissionRequest, the agent's id of the call.
package struct ToolCall: Sendable, Hashable {
    package let tool: Tool
    /// The input: an object. Any other value is kept as it came, and no rule matches it.
    package let kept: KeptJSON
    package let useID: String?
    private let parsed: JSON?
    private let summary: ShortInput?

    package init(tool: Tool, input: JSON, useID: String?) {
        self.init(tool: tool, kept: KeptJSON(input), useID: useID, parsed: input)
    }

    package init(tool: Tool, kept: KeptJSON, useID: String?) {
        self.init(tool: tool, kept: kept, useID: useID, parsed: nil)
    }

    private init(tool: Tool, kept: KeptJSON, useID: String?, parsed: JSON?, summary: ShortInput? = nil) {
        self.tool = tool
        self.kept = kept
        self.useID = useID
        self.parsed = parsed
        self.summary = summary
    }

    package var name: String { tool.name }
    package var kind: ToolKind { tool.kind }

    /// The input as a value. If it is kept as text, it is parsed at each access.
    package var input: JSON { parsed ?? kept.value }

    /// The shortened input for a session's history of tools.
    var short: ShortInput { summary ?? input.shortened() }

    /// The same call without the parsed form of a large input.
    package func condensed() -> ToolCall {
        ToolCall(tool: tool, kept: kept, useID: useID, parsed: nil, summary: short)
    }

    /// Returns the call with at most `String.mostMarks` marks on each letter of its input.
    func cuttingMarks() -> ToolCall {
        let whole = input
        return whole.hasManyMarks ? ToolCall(tool: tool, input: whole.cuttingMarks(), useID: useID) : self
    }

    /// The same call under another id.
    func named(_ useID: String?) -> ToolCall {
        ToolCall(tool: tool, kept: kept, useID: useID, parsed: parsed, summary: summary)
    }

    package static func == (left: ToolCall, right: ToolCall) -> Bool {
        left.tool.name == right.tool.name && left.useID == right.useID && left.kept == right.kept
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(tool.name)
        hasher.combine(useID)
        hasher.combine(kept)
    }
}
