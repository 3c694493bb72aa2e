import Core
import Markdown
import OrderedJSON
import Services
import Wire

/// The open requests, their previews and their answers.
struct PermissionMethods: MethodGroup {
    let permissions: any PermissionService
    let previews: any PreviewService
    let workspaces: any WorkspaceService

    var methods: [Method] { [pending, preview, respond] }

    private var pending: Method {
        Method(
            "permission/pending", right: .read, scheduling: .beside,
            summary: "The open requests, the earliest deadline first.",
            parameters: .integer("offset", in: 0...Int.max, default: 0, "requests to leave out from the start"),
            .id("request_id", "only this one; over POST /rpc it is given whole"),
            .id("session_id", "only those of one session"),
            result: .listing("requests", of: .card)
        ) { call, offset, id, session async throws(JSONRPCError) in
            if let id { return try await one(id, call.client) }
            let requests = await permissions.pending(sessionID: session)
            let ids = await workspaces.ids(of: requests)
            let cards = requests.dropFirst(offset).lazy.map { Self.card(of: $0, ids) }
            return .object(Listing(cards, ceiling: FrameCeiling.answer).object("requests"))
        }
    }

    private static func card(of request: PermissionRequest, _ workspaces: [String: String]) -> JSONObject {
        var card = PermissionCard.params(of: request, limit: nil)
        card["workspace_id"] = .string(workspaces[request.id] ?? "")
        return card
    }

    private func one(_ id: String, _ client: any RPCClient) async throws(JSONRPCError) -> JSON {
        guard let request = await permissions.request(id: id), request.isOpen else {
            throw .internalError("no open request has the request_id \"\(id.prefix(80))\"")
        }
        var card =
            client.isFramed
            ? PermissionCard.params(of: request, limit: FrameCeiling.answer - 256) : PermissionCard.whole(of: request)
        card["workspace_id"] = .string(await workspaces.ids(of: [request])[request.id] ?? "")
        return ["requests": [.object(card)], "count": 1, "more": 0]
    }

    private var preview: Method {
        Method(
            "permission/preview", right: .decide, scheduling: .beside,
            summary: "What a call would change: a difference, or a plan to be read.",
            parameters: .required("request_id", "as in event/pty_permission"),
            result: .preview
        ) { _, id async throws(JSONRPCError) in
            switch await previews.preview(requestID: id) {
            case .unknown: throw .internalError("no open request has the request_id \"\(id.prefix(80))\"")
            case .nothing(let tool):
                throw .invalidParams("a call of \(tool.prefix(80)) has no preview: it changes no file that is known of")
            case .preview(let preview): return await Self.body(of: preview, requestID: id)
            }
        }
    }

    /// `@concurrent`: not on the loop's thread, because a plan may have many parts and a difference many lines.
    @concurrent
    private static func body(of preview: Preview, requestID: String) async -> JSON {
        var object = PreviewBody.params(of: preview)
        object["request_id"] = .string(requestID)
        return .object(object)
    }

    private var respond: Method {
        Method(
            "permission/respond", right: .decide, summary: "Answers a request, or several. The first answer wins.",
            shape: ResponseShape.oneOrSeveral,
            result: .oneOf(
                .receipt,
                .object(["results": .list(.oneOf(.receipt, .failedResponse)).meaning("to `responses`, in their order")])
            ),
            handler: respond)
    }

    private func respond(
        _ call: Call, _ sent: Either<[PermissionResponse], PermissionResponse>
    ) async throws(JSONRPCError) -> JSON {
        switch sent {
        case .first(let responses):
            let results = await permissions.respond(responses, by: call.caller)
            return ["results": .array(results.map { $0.json })]
        case .rest(let response):
            let results = await permissions.respond([response], by: call.caller)
            guard let first = results.first else { throw .internalError("the answer was not taken; send it again") }
            switch first {
            case .success(let receipt): return receipt.json
            case .failure(let failure): throw failure.rpcError
            }
        }
    }
}
