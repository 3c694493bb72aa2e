import Core
import OrderedJSON
import Services
import Wire

/// Sessions that the daemon runs.
extension OpenAIRoutes {
    var sessionRoutes: [Route] { [list, begin, stats, one, end] }

    private static let path = "/v1/sessions"

    private var list: Route {
        route(Route.reading, .exact(Self.path), .read) { asked async throws(OpenAIFailure) in
            let found = await services.runs.active(in: asked.parameter("project_id")).map(\.openAIObject)
            return try ListPage(found, asked.query).json("sessions")
        }
        .described(
            "The sessions that have not ended, the oldest first.",
            query: Self.pageQuery + [
                FieldDescription(
                    name: "project_id", schema: .string, summary: "only those of this project", isRequired: false)
            ], result: .openAIPage.with(.object(["sessions": .list(.openAISession)])))
    }

    /// The body of a request for a session.
    private struct Wish: Sendable {
        let model: ChatModel
        let project: String?
        let title: String?
        let instructions: String?

        init(_ members: RequestMembers) throws(OpenAIFailure) {
            model = try ChatModel(members.string("model"))
            project = try members.name("project_id")
            title = try members.name("title")
            instructions = try members.string("system_prompt", atMost: ChatSessions.longestInstructions)
        }
    }

    private var begin: Route {
        route(["POST"], .exact(Self.path), .drive, takesJSONOnly: true) { asked async throws(OpenAIFailure) in
            let wish = try await services.read(asked.body) { body throws(OpenAIFailure) in
                try Wish(RequestMembers(object: body))
            }
            let workspace = try await sessions.workspace(wish.project, wish.model)
            let session = try await sessions.start(
                RunSessionOrder(workspaceID: workspace.id, model: wish.model.model, title: wish.title))
            if let text = wish.instructions, !text.isEmpty { sessions.keep(text, for: session.id) }
            return session.openAIObject
        }
        .described("Begins a session.", body: .newSession, result: .openAISession)
    }

    private var stats: Route {
        route(Route.reading, .exact("\(Self.path)/stats"), .read) { _ async throws(OpenAIFailure) in
            var (tokens, messages, cost) = (0, 0, 0.0)
            let found = await services.runs.active(in: nil)
            for session in found {
                let totals = await services.runs.totals(of: session.id)
                tokens += totals.tokens
                messages += totals.messages
                cost += await services.runs.lastTurn(of: session.id)?.cost ?? 0
            }
            return [
                "active_sessions": .count(found.count { $0.hasChild }), "total_tokens": .count(tokens),
                "total_cost": JSONNumber(cost).map(JSON.number) ?? 0, "total_messages": .count(messages),
            ]
        }
        .described("What the sessions came to since the daemon was started.", result: .sessionStats)
    }

    private var one: Route {
        route(Route.reading, .below("\(Self.path)/"), .read) { asked async throws(OpenAIFailure) in
            try await found(asked.name).openAIObject
        }
        .described("One session.", result: .openAISession)
    }

    private var end: Route {
        route(["DELETE"], .below("\(Self.path)/"), .drive) { asked async throws(OpenAIFailure) in
            try await OpenAIFailure.answering { () async throws(RunSessionFailure) in
                try await services.runs.stop(asked.name)
            }
            return ["id": .string(asked.name), "object": "session", "deleted": true]
        }
        .described("Ends a session with its process; its conversation stays.", result: .deletedObject)
    }
}

extension RunPhase {
    /// True in all phases but those that wait for a prompt, and the end.
    var isRunning: Bool { [.asking, .running, .starting, .stopping].contains(self) }
}

extension RunSession {
    fileprivate var openAIObject: JSON {
        [
            "id": .string(id), "object": "session", "session_id": .string(id), "project_id": .string(workspaceID),
            "model": .string(model ?? ChatModel.plain), "title": .text(title), "state": .string(phase.rawValue),
            "is_running": .bool(phase.isRunning),
            "created_at": .time(startedAt), "updated_at": .time(clocks.lastActivity),
        ]
    }
}
