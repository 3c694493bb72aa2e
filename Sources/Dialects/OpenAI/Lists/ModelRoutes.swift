import Core
import OrderedJSON
import Services

/// The models that the agent offers, and the workspaces, each of which is a model too: front ends let people choose a
/// model.
extension OpenAIRoutes {
    var modelRoutes: [Route] { [models, model, capabilities] }

    private var models: Route {
        route(Route.reading, .exact("/v1/models"), .read) { _ async throws(OpenAIFailure) in
            ["object": "list", "data": .array(await all().map(\.listing))]
        }
        .described(
            "The agent's models, and a model for each project.",
            result: .object(["object": .string, "data": .list(.openAIModel)]))
    }

    private var model: Route {
        route(Route.reading, .below("/v1/models/"), .read) { asked async throws(OpenAIFailure) in
            guard let found = await all().first(where: { $0.id == asked.name }) else {
                throw OpenAIFailure(
                    .notFound, "model_not_found", "there is no such model; GET /v1/models", param: "model")
            }
            return found.listing
        }
        .described("One model.", result: .openAIModel)
    }

    private var capabilities: Route {
        route(Route.reading, .exact("/v1/models/capabilities"), .read) { _ async throws(OpenAIFailure) in
            ["data": .array(await all().map(\.capabilities))]
        }
        .described(
            "What is known of the models. Prices and limits are null: the agent does not tell them.",
            result: .object(["data": .list(.modelCapabilities)]))
    }

    private func all() async -> [OpenAIModel] {
        let offer = try? await services.runs.offer(of: nil)
        let workspaces = await services.workspaces.workspaces(gitLimit: 0).map(\.workspace)
        let names = Dictionary(grouping: workspaces, by: \.name)
        let plain = OpenAIModel(
            id: ChatModel.plain, name: "Claude", description: "the agent's own choice", owner: "anthropic", created: 0)
        let offered = (offer?.models ?? []).filter { $0.value != ChatModel.plain }.map {
            OpenAIModel(id: $0.value, name: $0.name, description: $0.description, owner: "anthropic", created: 0)
        }
        let ofWorkspaces = workspaces.map { workspace in
            OpenAIModel(
                id: ChatModel.prefix + (names[workspace.name]?.count == 1 ? workspace.name : workspace.id),
                name: workspace.name, description: workspace.path, owner: "local",
                created: workspace.createdAt.milliseconds / 1000)
        }
        return [plain] + offered + ofWorkspaces
    }
}

/// An entry of the list of models.
private struct OpenAIModel: Sendable {
    let id: String
    let name: String
    let description: String
    let owner: String
    /// Seconds since 1970; 0 where it is not known.
    let created: Int64

    var listing: JSON {
        ["id": .string(id), "object": "model", "created": .count(created), "owned_by": .string(owner)]
    }

    var capabilities: JSON {
        [
            "id": .string(id), "name": .string(name), "description": .string(description), "max_tokens": .null,
            "supports_streaming": true, "supports_tools": true, "pricing": .null,
        ]
    }
}
