package import Core
package import OrderedJSON

/// Servers of tools as Claude Code's `--mcp-config` reads them.
package enum ClaudeServers {
    package static func json(_ servers: [ToolServer]) -> JSON {
        ["mcpServers": .object(JSONObject(servers.map { ($0.name, json($0.reach)) }))]
    }

    private static func json(_ reach: ToolServer.Reach) -> JSON {
        switch reach {
        case .http(let url, let headers): ["type": "http", "url": .string(url), "headers": settings(headers)]
        case .process(let command, let arguments, let environment):
            [
                "type": "stdio", "command": .string(command), "args": .array(arguments.map(JSON.string)),
                "env": settings(environment),
            ]
        case .sse(let url, let headers): ["type": "sse", "url": .string(url), "headers": settings(headers)]
        }
    }

    private static func settings(_ list: [ToolServer.Setting]) -> JSON {
        .object(JSONObject(list.map { ($0.name, .string($0.value)) }))
    }
}
