import Core
import OrderedJSON
import Wire

/// Reads the servers of tools that an editor gives a session.
enum ACPServers {
    private static let most = 64

    static func field(_ name: String = "mcpServers") -> Field<[ToolServer]> {
        Field(name, .list(.anyObject), "servers of tools for the agent") { arguments throws(JSONRPCError) in
            guard let value = arguments.value(name) else { return [] }
            guard let list = value.arrayValue, list.count <= most else {
                throw .invalidParams("\"\(name)\" must be a list of at most \(most) servers")
            }
            var servers: [ToolServer] = []
            for element in list { servers.append(try server(element)) }
            guard Set(servers.map(\.name)).count == servers.count else {
                throw .invalidParams("two of \"\(name)\" have the same name")
            }
            return servers
        }
    }

    private static func server(_ value: JSON) throws(JSONRPCError) -> ToolServer {
        guard let name = value["name"]?.stringValue, !name.isEmpty else {
            throw .invalidParams("each server of tools needs a \"name\"")
        }
        switch value["type"]?.stringValue {
        case "http":
            return ToolServer(name: name, reach: .http(url: try url(value), headers: try settings(value, "headers")))
        case "sse":
            return ToolServer(name: name, reach: .sse(url: try url(value), headers: try settings(value, "headers")))
        case nil, "stdio": return ToolServer(name: name, reach: try process(value))
        default: throw .invalidParams("a server of tools is reached by \"stdio\", \"http\" or \"sse\"")
        }
    }

    private static func process(_ value: JSON) throws(JSONRPCError) -> ToolServer.Reach {
        guard let command = value["command"]?.stringValue, !command.isEmpty else {
            throw .invalidParams("a server of tools needs a \"command\"")
        }
        let arguments = (value["args"] ?? []).arrayValue
        guard let arguments, arguments.allSatisfy({ $0.stringValue != nil }) else {
            throw .invalidParams("the \"args\" of a server must be a list of strings")
        }
        return .process(
            command: command, arguments: arguments.compactMap(\.stringValue), environment: try settings(value, "env"))
    }

    private static func url(_ value: JSON) throws(JSONRPCError) -> String {
        guard let url = value["url"]?.stringValue, url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw .invalidParams("a server of tools needs a \"url\" that begins with http:// or https://")
        }
        return url
    }

    private static func settings(_ value: JSON, _ member: String) throws(JSONRPCError) -> [ToolServer.Setting] {
        guard let list = (value[member] ?? []).arrayValue else {
            throw .invalidParams("the \"\(member)\" of a server must be a list")
        }
        var settings: [ToolServer.Setting] = []
        for element in list {
            guard let name = element["name"]?.stringValue, !name.isEmpty, let text = element["value"]?.stringValue
            else {
                throw .invalidParams("each of a server's \"\(member)\" needs a \"name\" and a \"value\"")
            }
            settings.append(ToolServer.Setting(name: name, value: text))
        }
        return settings
    }

    /// A device may start no program without a question: only who sits at this machine gives servers.
    static func require(_ servers: [ToolServer], from caller: Caller) throws(JSONRPCError) {
        guard !servers.isEmpty, caller.deviceID != nil else { return }
        throw .invalidRequest(
            "servers of tools are programs of this machine, which a device does not choose; name none")
    }
}
