import Core
import OrderedJSON
import Services

/// Servers of tools (Model Context Protocol). The agents alone know them, so the agents are asked: a session without a
/// process has none to show.
extension OpenAIRoutes {
    var toolRoutes: [Route] { [servers, toolsOfServer, toolsOfSession, setTools] }

    private static let servers = "/v1/mcp/servers"
    private static let ofSession = Route.Path.below("/v1/sessions/", tail: "/tools")

    private static let chosenSession = FieldDescription(
        name: "session_id", schema: .string, summary: "as the agent of this session has them", isRequired: false)
    private static let chosenProject = FieldDescription(
        name: "project_id", schema: .string, summary: "only those in sessions of this project", isRequired: false)

    private var servers: Route {
        route(Route.reading, .exact(Self.servers), .read) { asked async throws(OpenAIFailure) in
            try ListPage(await told(asked).map(\.json), asked.query).json("servers")
        }
        .described(
            "The servers of tools in the sessions that have a process, each once.",
            query: Self.pageQuery + [Self.chosenProject, Self.chosenSession],
            result: .openAIPage.with(.object(["servers": .list(.toolServer)])))
    }

    private var toolsOfServer: Route {
        route(Route.reading, .below("\(Self.servers)/", tail: "/tools"), .read) { asked async throws(OpenAIFailure) in
            guard let found = try await told(asked).first(where: { $0.server.name == asked.name }) else {
                throw .notFound("no session that has a process has this server; GET /v1/mcp/servers")
            }
            return try ListPage(found.server.toolObjects, asked.query).json("tools")
        }
        .described(
            "The tools of a server; none until it is connected.",
            query: Self.pageQuery + [Self.chosenProject, Self.chosenSession],
            result: .openAIPage.with(.object(["tools": .list(.serverTool)])))
    }

    private var toolsOfSession: Route {
        route(Route.reading, Self.ofSession, .read) { asked async throws(OpenAIFailure) in
            SessionTools(try await servers(of: asked.name)).json
        }
        .described("The servers and tools of a session.", result: .sessionTools)
    }

    /// Claude Code has no such choice for one session: what it turns off stays off in the directory, for all sessions
    /// there and for a person at a terminal (measured with 2.1.329). So a client may only ask for what is.
    private var setTools: Route {
        route(["POST"], Self.ofSession, .drive, takesJSONOnly: true) { asked async throws(OpenAIFailure) in
            let wish = try await services.read(asked.body) { body throws(OpenAIFailure) in
                try SessionTools.Wish(RequestMembers(object: body))
            }
            let tools = SessionTools(try await servers(of: asked.name))
            try tools.require(wish)
            return tools.json
        }
        .described(
            "Asks for tools. Refused where it would turn one on or off: the agent cannot do that for one session.",
            body: .toolsWish, result: .sessionTools)
    }

    private func servers(of session: String) async throws(OpenAIFailure) -> [ToolServerStatus] {
        try await OpenAIFailure.answering { () async throws(RunSessionFailure) in
            try await services.runs.toolServers(of: session)
        }
    }

    /// The servers of the session that is meant, or of all with a process, each once.
    private func told(_ asked: Asked) async throws(OpenAIFailure) -> [ToldServer] {
        if let session = asked.parameter("session_id") {
            return try await servers(of: session).map { ToldServer(server: $0, session: session) }
        }
        let sessions = await services.runs.active(in: asked.parameter("project_id")).filter(\.hasChild).map(\.id)
        var found: [String: ToldServer] = [:]
        for server in await all(of: sessions) where found[server.server.name]?.isConnected != true {
            if found[server.server.name] == nil || server.isConnected { found[server.server.name] = server }
        }
        return found.values.sorted { $0.server.name < $1.server.name }
    }

    /// All agents are asked at once: one that hangs takes seconds.
    private func all(of sessions: [String]) async -> [ToldServer] {
        let runs = services.runs
        return await withTaskGroup { group in
            for session in sessions {
                group.addTask {
                    ((try? await runs.toolServers(of: session)) ?? []).map { ToldServer(server: $0, session: session) }
                }
            }
            let lists = await group.reduce(into: [String: [ToldServer]]()) { lists, list in
                if let session = list.first?.session { lists[session] = list }
            }
            return sessions.flatMap { lists[$0] ?? [] }
        }
    }
}

/// A server, and the session whose agent told of it.
private struct ToldServer: Sendable {
    let server: ToolServerStatus
    let session: String

    var isConnected: Bool { server.state == .connected }

    var json: JSON {
        var object = server.object
        object["session_id"] = .string(session)
        return .object(object)
    }
}
