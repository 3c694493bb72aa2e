import Core
import OrderedJSON

/// Reads what Claude Code tells of its servers of tools: the answer to `mcp_status` (measured with 2.1.329).
enum ClaudeServerList {
    /// Far more than anybody has, of servers and of the tools of one.
    private static let most = 500

    /// Returns `nil` for another answer.
    static func read(_ answer: JSON?) -> [ToolServerStatus]? {
        answer?["mcpServers"]?.arrayValue?.prefix(most).compactMap(server)
    }

    private static func server(_ value: JSON) -> ToolServerStatus? {
        guard let name = ClaudeStream.id(value["name"]) else { return nil }
        return ToolServerStatus(
            name: name, state: states[value["status"]?.stringValue ?? ""] ?? .unknown,
            scope: ClaudeStream.id(value["scope"]), transport: ClaudeStream.id(value["transport"]),
            failure: value["error"]?.stringValue.flatMap(CallContext.beginning),
            tools: (value["tools"]?.arrayValue ?? []).prefix(most).compactMap(tool))
    }

    private static func tool(_ value: JSON) -> ToolServerStatus.Tool? {
        guard let name = ClaudeStream.id(value["name"]) else { return nil }
        return ToolServerStatus.Tool(name: name, isReadOnly: value["annotations"]?["readOnly"]?.boolValue)
    }

    private static let states: [String: ToolServerStatus.State] = [
        "connected": .connected, "disabled": .disabled, "failed": .failed, "needs-auth": .needsSignIn,
        "pending": .pending,
    ]
}
