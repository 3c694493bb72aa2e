import Core
import OrderedJSON
import Services
import Wire

/// Changes of workspaces. They need the right to drive: files and repositories of a workspace can be read and changed.
struct WorkspaceChangeMethods: MethodGroup {
    let runSessions: any RunSessionService
    let viewers: SessionViewers
    let workspaces: any WorkspaceService

    var methods: [Method] { [add, discover, remove, update] }

    /// Bytes of a path that is sent.
    private static let longestPath = 4096
    /// The most directories that one search begins with.
    private static let mostRoots = 32

    private static let wish = Shape(
        .boolean("auto_start", default: false, "kept and given back; the daemon starts no session for it"),
        .boolean("create_if_missing", default: false, "make the directory; the one that holds it must be there"),
        .string("name", "1 to 64 visible characters; otherwise the directory's name"),
        Field.required("path", "absolute", missing: "the directory's absolute path").map { path throws(JSONRPCError) in
            guard path.utf8.count <= longestPath else { throw .invalidParams("\"path\" is longer than a path can be") }
            return path
        }
    ) { isStarted, creates, name, path in
        WorkspaceWish(path: path, name: name, isStartedWithDaemon: isStarted, createsDirectory: creates)
    }

    private var add: Method {
        Method(
            "workspace/add", right: .drive, scheduling: .beside,
            summary: "Adds the workspace of a directory, or renames the one that is there. Links are resolved. "
                + "Confirmed once it is written.",
            shape: Self.wish, result: .workspace
        ) { _, wish async throws(JSONRPCError) in
            do throws(WorkspaceFailure) {
                return .object(try await workspaces.add(wish).listing(viewers: viewers.viewers))
            } catch {
                throw error.rpcError
            }
        }
    }

    private struct Update: Sendable {
        let id: String
        let name: String?
        let isStarted: Bool?
    }

    private static let update = Shape(
        Field<Bool?>("auto_start", .boolean, "otherwise as it is") { arguments throws(JSONRPCError) in
            try arguments.boolean("auto_start")
        },
        WorkspaceFields.id, .string("name", "otherwise as it is"), WorkspaceFields.workspaceID
    ) { isStarted, id, name, workspaceID throws(JSONRPCError) in
        Update(id: try WorkspaceFields.one(id, workspaceID), name: name, isStarted: isStarted)
    }

    private var update: Method {
        Method(
            "workspace/update", right: .drive,
            summary: "Renames a workspace, or sets its `auto_start`.",
            shape: Self.update, result: .workspace
        ) { _, change async throws(JSONRPCError) in
            do throws(WorkspaceFailure) {
                let view = try await workspaces.update(
                    change.id, name: change.name, isStartedWithDaemon: change.isStarted)
                return .object(view.listing(viewers: viewers.viewers))
            } catch {
                throw error.rpcError
            }
        }
    }

    private var remove: Method {
        Method(
            "workspace/remove", right: .drive,
            summary: "Removes a workspace; its directory and the sessions in it stay. Such a session makes none again, "
                + "one that starts later does. Refused while session/start's run there. Confirmed once it is written.",
            shape: WorkspaceFields.either,
            result: .object(["success": .success, "workspace_id": .string, "name": .string, "path": .string])
        ) { _, id async throws(JSONRPCError) in
            try await RunSessionFailure.answering { () async throws(RunSessionFailure) in
                try await runSessions.leave(workspace: id)
            }
            do throws(WorkspaceFailure) {
                let workspace = try await workspaces.remove(id)
                return [
                    "success": true, "workspace_id": .string(workspace.id), "name": .string(workspace.name),
                    "path": .string(workspace.path),
                ]
            } catch {
                throw error.rpcError
            }
        }
    }

    private static let roots = Field<[String]?>.strings(
        "paths", "absolute, at most \(mostRoots); otherwise the home directory"
    ).map { paths throws(JSONRPCError) in
        guard (paths?.count ?? 0) <= mostRoots else {
            throw .invalidParams("\"paths\" has at most \(mostRoots) directories")
        }
        return paths ?? []
    }

    private var discover: Method {
        Method(
            "workspace/discover", right: .drive, scheduling: .beside,
            summary: "Searches directories for repositories, for 2 s at most. Follows no links, and enters neither "
                + "hidden directories nor repositories.",
            parameters: Self.roots, result: .discovery
        ) { _, paths async throws(JSONRPCError) in
            do throws(WorkspaceFailure) { return try await workspaces.discover(below: paths).listing } catch {
                throw error.rpcError
            }
        }
    }
}

extension Schema {
    fileprivate static let discovery = listing(
        "repositories",
        of: object([
            "name": .string, "path": .string, "is_configured": .boolean.meaning("it is a workspace"),
            "workspace_id": .string.orNull, "truncated": .truncated.optional,
        ])
    ).with(
        .object([
            "is_complete": .boolean.meaning("false: the time or a limit ended the search"),
            "scanned_paths": .count.meaning("directories that were read"),
            "skipped_paths": .count.meaning("directories that could not be read"), "elapsed_ms": .count,
        ]))
}

extension Discovery {
    fileprivate var listing: JSON {
        let rows = found.paths.lazy.map { path -> JSONObject in
            [
                "name": .string(WorkspaceName.ofDirectory(path)), "path": .string(path),
                "is_configured": .bool(workspaces[path] != nil), "workspace_id": .text(workspaces[path]),
            ]
        }
        var members = Listing(rows, ceiling: FrameCeiling.answer).object("repositories")
        members["is_complete"] = .bool(found.isComplete)
        members["scanned_paths"] = .count(found.scanned)
        members["skipped_paths"] = .count(found.skipped)
        members["elapsed_ms"] = .count(milliseconds)
        return .object(members)
    }
}
