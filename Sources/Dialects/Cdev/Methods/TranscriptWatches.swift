import Core
import OrderedJSON
import Services
import Wire

/// The session that a connection watches, and the one that it shows.
struct TranscriptWatchMethods: MethodGroup {
    let transcripts: any TranscriptService

    var methods: [Method] { [activate, unwatch, watch] }

    private static let state = Schema.object([
        "status": .string, "watching": .boolean, "workspace_id": .string, "session_id": .string,
        "after": .count.meaning("the number of the last message that does not come as an event"),
    ])

    private var watch: Method {
        Method(
            "workspace/session/watch", right: .read, scheduling: .inOrderOffLoop,
            summary: "Sends this connection each new message of a session as event/claude_message, until it watches "
                + "another one. Over a WebSocket only.",
            parameters: .integerIfPresent(
                "after",
                "the number of the last message that is known; by default the last one that was there when this "
                    + "connection called workspace/session/messages, so that none is missing and none comes twice"),
            .requiredID("session_id", "as in workspace/session/history or hook/sessions"),
            .boolean(
                "subagents", default: false,
                "send the new messages of its subagents too, which have `parent_tool_use_id`; with each subagent from "
                    + "behind the last message that this connection could know of on"),
            .id("workspace_id", "not needed: a session has one transcript"),
            result: Self.state
        ) { call, after, session, hasSubagents, workspace async throws(JSONRPCError) in
            guard call.client.isFramed else {
                throw .invalidRequest("events go to a WebSocket: connect to /ws, and watch there")
            }
            do throws(TranscriptFailure) {
                let watch = try await transcripts.watch(
                    session, after: after.map(Int64.init), hasSubagents: hasSubagents, client: call.client.id)
                return Self.json(watch, workspace, isWatching: true)
            } catch {
                throw error.rpcError
            }
        }
    }

    private var unwatch: Method {
        Method(
            "workspace/session/unwatch", right: .read, scheduling: .inOrderOffLoop,
            summary: "Ends what workspace/session/watch began.", result: Self.state
        ) { call in
            let watch = await transcripts.unwatch(client: call.client.id)
            return Self.json(watch, nil, isWatching: false)
        }
    }

    private var activate: Method {
        Method(
            "workspace/session/activate", right: .read, scheduling: .inOrderOffLoop,
            summary: "Notes which session this connection shows; workspace/session/watch does so by itself.",
            parameters: .requiredID("session_id", "as in workspace/session/history or hook/sessions"),
            .id("workspace_id", "not needed: a session has one transcript"),
            result: .object([
                "success": .success, "workspace_id": .string, "session_id": .string, "message": .string,
            ])
        ) { call, session, workspace async throws(JSONRPCError) in
            do throws(TranscriptFailure) {
                let watch = try await transcripts.activate(session, client: call.client.id)
                return [
                    "success": true, "workspace_id": .string(Self.workspace(watch, workspace)),
                    "session_id": .id(session), "message": "Session activated",
                ]
            } catch {
                throw error.rpcError
            }
        }
    }

    private static func json(_ watch: TranscriptWatch?, _ workspace: String?, isWatching: Bool) -> JSON {
        [
            "status": isWatching ? "watching" : "unwatched", "watching": .bool(isWatching),
            "workspace_id": .string(watch.map { Self.workspace($0, workspace) } ?? ""),
            "session_id": .id(watch?.sessionID ?? ""), "after": .count(watch?.after ?? 0),
        ]
    }

    /// The workspace that holds the session; the one that the client named where none does.
    private static func workspace(_ watch: TranscriptWatch, _ named: String?) -> String {
        watch.workspaceID.isEmpty ? named ?? "" : watch.workspaceID
    }
}
