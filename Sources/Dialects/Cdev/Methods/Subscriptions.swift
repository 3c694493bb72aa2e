import Core
import OrderedJSON
import Services
import Wire

/// What one connection gets and looks at: subscriptions to workspaces, and the session in view.
struct SubscriptionMethods: MethodGroup {
    /// Called with the id of a workspace that a connection subscribed to.
    let noteInterest: @Sendable (String) -> Void
    let viewers: SessionViewers
    let workspaces: any WorkspaceService

    var methods: [Method] { [focus, subscribe, subscribeAll, subscriptions, unsubscribe] }

    /// Bytes of a session's id.
    private static let longestID = 256

    private var subscribe: Method {
        Method(
            "workspace/subscribe", right: .read,
            summary: "From now on this connection gets events of the workspaces that it subscribed to, and those of no "
                + "workspace. Requests always reach who may answer them.",
            shape: WorkspaceFields.either, result: Self.change
        ) { call, id async throws(JSONRPCError) in
            let subscriptions = try Self.subscriptions(of: call)
            guard await workspaces.workspace(id) != nil else { throw .unknownWorkspace(id) }
            guard subscriptions.subscribe(id) else {
                throw .internalError("this connection has \(WorkspaceBook.limit) subscriptions; end some first")
            }
            noteInterest(id)
            return Self.answer(id, subscriptions)
        }
    }

    private var unsubscribe: Method {
        Method(
            "workspace/unsubscribe", right: .read,
            summary: "Ends a subscription of this connection. Without any it gets the events of all workspaces again.",
            shape: WorkspaceFields.either, result: Self.change
        ) { call, id async throws(JSONRPCError) in
            let subscriptions = try Self.subscriptions(of: call)
            subscriptions.unsubscribe(id)
            return Self.answer(id, subscriptions)
        }
    }

    private var subscriptions: Method {
        Method(
            "workspace/subscriptions", right: .read, summary: "The workspaces that this connection subscribed to.",
            result: .object([
                "workspaces": .list(.string), "is_filtering": .boolean.meaning("false: it gets the events of all"),
                "count": .count,
            ])
        ) { call async throws(JSONRPCError) in
            let all = try Self.subscriptions(of: call).all
            return [
                "workspaces": .array(all.map(JSON.string)), "is_filtering": .bool(!all.isEmpty),
                "count": .count(all.count),
            ]
        }
    }

    private var subscribeAll: Method {
        Method(
            "workspace/subscribeAll", right: .read,
            summary: "Ends all subscriptions of this connection: it gets the events of all workspaces.",
            result: .object(["success": .success, "is_filtering": Schema(["const": false])])
        ) { call async throws(JSONRPCError) in
            try Self.subscriptions(of: call).subscribeToAll()
            return ["success": true, "is_filtering": false]
        }
    }

    private var focus: Method {
        Method(
            "client/session/focus", right: .read,
            summary: "Tells which session this client looks at, until it tells otherwise or its connection closes. "
                + "Others that look at it are told.",
            parameters: Field<String?>.id("session_id", "`\"\"`: none any more").map { id throws(JSONRPCError) in
                guard let id, id.utf8.count <= Self.longestID else {
                    throw .invalidParams("\"session_id\" is required: at most \(Self.longestID) bytes")
                }
                return id
            }.requiredBySchema,
            .requiredID("workspace_id", "as in workspace/list"),
            result: .object([
                "workspace_id": .string, "session_id": .string,
                "other_viewers": .list(.string).meaning("ids of the other clients that look at it"),
                "viewer_count": .count.meaning("with this client"), "success": .success, "viewer_names": .viewerNames,
            ])
        ) { call, session, workspace async throws(JSONRPCError) in
            _ = try Self.subscriptions(of: call)
            guard await workspaces.workspace(workspace) != nil else { throw .unknownWorkspace(workspace) }
            let name = call.caller.resolver?.spelling ?? ""
            let focus = SessionViewers.Focus(workspaceID: workspace, sessionID: session, name: name)
            let others = viewers.focus(call.client.id, on: session.isEmpty ? nil : focus)
            var answer: JSONObject = [
                "workspace_id": .string(workspace), "session_id": .id(session),
                "other_viewers": .array(others.map(JSON.string)),
                "viewer_count": .count(session.isEmpty ? 0 : others.count + 1), "success": true,
            ]
            ViewerBody.add(viewers.names(of: others), to: &answer)
            return .object(answer)
        }
    }

    private static let change = Schema.object([
        "success": .success, "workspace_id": .string, "subscribed": .list(.string).meaning("all that there are now"),
    ])

    private static func answer(_ id: String, _ subscriptions: WorkspaceSubscriptions) -> JSON {
        [
            "success": true, "workspace_id": .string(id),
            "subscribed": .array(subscriptions.all.map(JSON.string)),
        ]
    }

    private static func subscriptions(of call: Call) throws(JSONRPCError) -> WorkspaceSubscriptions {
        guard let subscriptions = call.client.subscriptions else {
            throw .invalidRequest("this is for connections that get events: call it over the WebSocket, /ws")
        }
        return subscriptions
    }
}
