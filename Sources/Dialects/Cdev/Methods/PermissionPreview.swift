import Core
import Markdown
import OrderedJSON
import Wire

extension Method {
    static let permissionPreview = Method(
        "permission/preview", right: .decide, isSlow: true,
        summary: "What a call would change: a difference, or a plan to be read.",
        parameters: [Parameter("request_id", textSchema, "as in event/pty_permission", isRequired: true)],
        result:
            "kind: `diff` (path, hunks, added, removed, more), `text` (path, text, and reason: why there is no diff) or "
            + "`plan` (document)",
        handler: preview)

    private static func preview(_ call: Call) async throws(JSONRPCError) -> JSON {
        let id = try call.arguments.required("request_id", "as in event/pty_permission")
        switch await call.services.previews.preview(requestID: id) {
        case .unknown: throw .internalError("no open question has the request_id \"\(id.prefix(80))\"")
        case .nothing(let tool):
            throw .invalidParams("a call of \(tool.prefix(80)) has no preview: it changes no file that is known of")
        case .preview(let preview): return await body(of: preview, requestID: id)
        }
    }

    /// Off the loop's thread: a plan may have many parts, and a difference many lines.
    @concurrent
    private static func body(of preview: Preview, requestID: String) async -> JSON {
        var object = PreviewBody.params(of: preview)
        object["request_id"] = .string(requestID)
        return .object(object)
    }
}
