import Core
import OrderedJSON

/// A resolution, for `event/pty_permission_resolved` and `permission/history`.
enum ResolutionBody {
    static func params(of request: PermissionRequest, _ resolution: Resolution, corrects: Bool) -> JSONObject {
        let text = CardText(tool: request.tool, input: request.toolInput)
        var params: JSONObject = [
            "tool_use_id": .id(request.toolUseID), "request_id": .string(request.id),
            "opening": .count(request.opening), "type": .string(text.kind.rawValue),
            "tool_name": .string(request.toolName), "target": .string(HiddenCharacters.escaped(text.target)),
            "terminal_prompt": .bool(request.isTerminalPrompt),
        ]
        for (key, value) in members(of: resolution) { params[key] = value }
        // Older clients read the decision under this name.
        params["input"] = .string(resolution.decision.rawValue)
        params["corrects"] = .bool(corrects)
        return params
    }

    static func members(of resolution: Resolution) -> JSONObject {
        var members: JSONObject = [
            "decision": .string(resolution.decision.rawValue), "scope": .text(resolution.scope?.rawValue),
            "resolved_by": .string(resolution.resolver.spelling), "reason": .string(resolution.reason),
            "at": .time(resolution.at), "delivered": .bool(resolution.isDelivered),
            "confirmed": .bool(resolution.isConfirmed),
        ]
        if let message = resolution.message { members["message"] = .string(message) }
        if let input = resolution.updatedInput { members["updated_input"] = input }
        return members
    }
}

extension Schema {
    static let resolution = object([
        "decision": .decision, "scope": .scope.orNull,
        "resolved_by": .string, "reason": .string, "at": .time, "delivered": .boolean, "confirmed": .boolean,
        "message": .string.optional, "updated_input": .any.optional,
    ])
}
