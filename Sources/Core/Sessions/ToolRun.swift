package import OrderedJSON

/// One call of a tool in a session's history.
package struct ToolRun: Sendable, Hashable {
    package let useID: String
    package let tool: Tool
    /// Shortened in the history, whole in the event of the run's end.
    package var input: KeptJSON
    /// Bytes of the whole input as JSON, where `input` is shortened.
    package var inputBytes: Int?
    package let sessionID: String
    package let cwd: String
    package let agentID: String?
    package let transcriptPath: String
    package let permissionMode: PermissionMode
    package let startedAt: Timestamp
    package var endedAt: Timestamp?
    /// `nil` while it runs.
    package var isError: Bool?

    package init(
        useID: String, tool: Tool, toolInput: JSON, inputBytes: Int? = nil, sessionID: String, cwd: String,
        agentID: String?, transcriptPath: String, permissionMode: PermissionMode, startedAt: Timestamp,
        endedAt: Timestamp? = nil,
        isError: Bool? = nil
    ) {
        self.useID = useID
        self.tool = tool
        input = KeptJSON(toolInput)
        self.inputBytes = inputBytes
        self.sessionID = sessionID
        self.cwd = cwd
        self.agentID = agentID
        self.transcriptPath = transcriptPath
        self.permissionMode = permissionMode
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.isError = isError
    }

    package var toolName: String { tool.name }
    package var toolInput: JSON { input.value }
}
