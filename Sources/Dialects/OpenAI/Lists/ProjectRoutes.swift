import Core
import OrderedJSON
import Services

/// Projects are workspaces.
extension OpenAIRoutes {
    var projectRoutes: [Route] { [projects, addProject, project, removeProject] }

    private static let path = "/v1/projects"

    private var projects: Route {
        route(Route.reading, .exact(Self.path), .read) { asked async throws(OpenAIFailure) in
            let all = await services.workspaces.workspaces(gitLimit: 0).map { $0.workspace.project }
            return try ListPage(all, asked.query).json("projects")
        }
        .described(
            "The projects, sorted by name.", query: Self.pageQuery,
            result: .openAIPage.with(.object(["projects": .list(.openAIProject)])))
    }

    private var addProject: Route {
        route(["POST"], .exact(Self.path), .drive, takesJSONOnly: true) { asked async throws(OpenAIFailure) in
            let wish = try await services.read(asked.body) { body throws(OpenAIFailure) in
                try Self.wish(RequestMembers(object: body))
            }
            do throws(WorkspaceFailure) { return try await services.workspaces.add(wish).workspace.project } catch {
                throw OpenAIFailure(error)
            }
        }
        .described("Makes a project of a directory.", body: .newProject, result: .openAIProject)
    }

    private static func wish(_ members: RequestMembers) throws(OpenAIFailure) -> WorkspaceWish {
        guard let path = try members.string("path", atMost: 4096), !path.isEmpty else {
            throw .invalid("send the absolute \"path\" of a directory on this machine", param: "path")
        }
        return WorkspaceWish(
            path: path, name: try members.name("name"), description: try members.string("description", atMost: 10_000))
    }

    private var project: Route {
        route(Route.reading, .below("\(Self.path)/"), .read) { asked async throws(OpenAIFailure) in
            guard let workspace = await services.workspaces.workspace(asked.name) else {
                throw .notFound("Project not found")
            }
            return workspace.project
        }
        .described("One project.", result: .openAIProject)
    }

    private var removeProject: Route {
        route(["DELETE"], .below("\(Self.path)/"), .drive) { asked async throws(OpenAIFailure) in
            try await OpenAIFailure.answering { () async throws(RunSessionFailure) in
                try await services.runs.leave(workspace: asked.name)
            }
            do throws(WorkspaceFailure) {
                let workspace = try await services.workspaces.remove(asked.name)
                return ["id": .string(workspace.id), "object": "project", "deleted": true]
            } catch {
                throw OpenAIFailure(error)
            }
        }
        .described(
            "Forgets a project; its directory stays. Refused while a session runs there.",
            result: .deletedObject)
    }
}

extension Workspace {
    fileprivate var project: JSON {
        [
            "id": .string(id), "object": "project", "name": .string(name), "description": .string(description),
            "path": .string(path),
            "created_at": .time(createdAt), "updated_at": .time(lastActive),
        ]
    }
}
