import Core
import OrderedJSON

/// The servers and tools of one session.
struct SessionTools: Sendable {
    let servers: [ToolServerStatus]

    /// What a client asks a session to have.
    struct Wish: Sendable {
        /// Names of servers, ids of tools; `nil` for no wish.
        let servers: Set<String>?
        let tools: Set<String>?

        init(_ members: RequestMembers) throws(OpenAIFailure) {
            servers = try members.names("enabled_servers")
            tools = try members.names("enabled_tools")
            if let order = try members.names("priority"), !order.isEmpty {
                throw .invalid("the agent chooses its tools itself; \"priority\" must be empty", param: "priority")
            }
            if members.value("audit_log") != nil, try !members.boolean("audit_log") {
                throw .invalid("each call is kept in the history; \"audit_log\" must be true", param: "audit_log")
            }
        }
    }

    init(_ servers: [ToolServerStatus]) {
        self.servers = servers
    }

    /// Refuses what would change the tools of the session.
    func require(_ wish: Wish) throws(OpenAIFailure) {
        let usable = Set(servers.filter { $0.state == .connected }.map(\.name))
        if let wished = wish.servers, wished != usable { throw Self.unchangeable(wished, usable, "enabled_servers") }
        let ids = Set(servers.flatMap { server in server.tools.map { server.id(of: $0) } })
        if let wished = wish.tools, wished != ids { throw Self.unchangeable(wished, ids, "enabled_tools") }
    }

    private static func unchangeable(_ wished: Set<String>, _ has: Set<String>, _ param: String) -> OpenAIFailure {
        let others = wished.symmetricDifference(has).sorted().prefix(5).map { "\"\($0.prefix(80))\"" }
        return .invalid(
            "the agent turns no tool on or off for one session, so \"\(param)\" must name what the session has; different "
                + "are \(others.joined(separator: ", ")). A rule that asks about a tool, or denies it, can be set in the "
                + "settings of Claude Code", param: param)
    }

    var json: JSON {
        [
            "object": "session.tools", "servers": .array(servers.map { .object($0.object) }),
            "tools": .array(servers.flatMap(\.toolObjects)), "audit_log": true,
        ]
    }
}

extension ToolServerStatus {
    /// As the titles of cards name it.
    func id(of tool: Tool) -> String { "\(name)/\(tool.name)" }

    var object: JSONObject {
        [
            "id": .string(name), "object": "mcp_server", "name": .string(name), "status": .string(state.rawValue),
            "scope": .text(scope), "transport": .text(transport), "error": .text(failure),
            "tool_count": .count(tools.count),
        ]
    }

    var toolObjects: [JSON] {
        tools.map { tool in
            [
                "id": .string(id(of: tool)), "object": "mcp_tool", "name": .string(tool.name),
                "server_id": .string(name), "enabled": true,
                "read_only": tool.isReadOnly.map(JSON.bool) ?? .null,
            ]
        }
    }
}
