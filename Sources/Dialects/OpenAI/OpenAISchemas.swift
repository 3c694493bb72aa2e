import Core

// The forms of this dialect, for the document of all routes.

extension OpenAIRoutes {
    static let pageQuery = [
        FieldDescription(
            name: "limit", schema: .integer(in: 1...1000), summary: "at most so many", isRequired: false),
        FieldDescription(
            name: "cursor", schema: .string, summary: "`next_cursor` of the part before", isRequired: false),
    ]
}

extension Schema {
    static var openAIError: Schema {
        let error = object([
            "message": .string, "type": .string, "param": .string.orNull, "code": .string, "status": .integer,
        ])
        return object(["error": error]).named("OpenAIError")
    }

    static var chatRequest: Schema {
        object([
            "messages": messages(of: ["system", "developer", "user", "assistant", "tool"]),
            "stream_options": object(["include_usage": .boolean.optional]).optional,
            "system_prompt": .string.optional,
        ]).with(turnRequest).named("ChatRequest")
    }

    static var chatCompletion: Schema {
        let choice = object([
            "index": .count, "message": object(["role": .string, "content": .string]),
            "finish_reason": .choice(["stop", "length", "content_filter"]),
        ])
        return object([
            "id": .string, "object": .choice(["chat.completion"]), "created": .count, "model": .string,
            "choices": .list(choice), "usage": usage, "session_id": .string, "project_id": .string,
        ]).named("ChatCompletion")
    }

    private static var usage: Schema {
        object([
            "prompt_tokens": .count, "completion_tokens": .count, "input_tokens": .count, "output_tokens": .count,
            "total_tokens": .count, "total_cost": .number.optional.meaning("of this turn, in dollars"),
        ])
    }

    static var chatStatus: Schema {
        object([
            "session_id": .string, "project_id": .string, "model": .string, "is_running": .boolean, "state": .string,
            "created_at": .time, "updated_at": .time,
            "total_tokens": .count.meaning("since the daemon was started, as `message_count`"),
            "total_cost": .number.meaning("of the conversation, in dollars"), "message_count": .count,
        ])
    }

    static var chatCancelled: Schema {
        object(["session_id": .string, "status": .choice(["cancelled"]), "deleted": .boolean])
    }

    static var chatDebug: Schema { object(["ok": .boolean, "request": .anyObject, "read_as": .anyObject]) }

    static var openAIModel: Schema {
        object(["id": .string, "object": .choice(["model"]), "created": .count, "owned_by": .string])
    }

    static var modelCapabilities: Schema {
        object([
            "id": .string, "name": .string, "description": .string, "max_tokens": .integer.orNull,
            "supports_streaming": .boolean, "supports_tools": .boolean, "pricing": .anyObject.orNull,
        ])
    }

    /// A part of a list.
    static let openAIPage = object(["object": .choice(["list"]), "next_cursor": .string.orNull])

    static var openAIProject: Schema {
        object([
            "id": .string, "object": .choice(["project"]), "name": .string, "description": .string, "path": .string,
            "created_at": .time, "updated_at": .time,
        ])
    }

    static var newProject: Schema {
        object([
            "path": .string.meaning("absolute"), "name": .string.optional, "description": .string.optional,
        ])
    }

    static var openAISession: Schema {
        object([
            "id": .string, "object": .choice(["session"]), "session_id": .string, "project_id": .string,
            "model": .string, "title": .string.orNull, "state": .string, "is_running": .boolean, "created_at": .time,
            "updated_at": .time,
        ])
    }

    static var newSession: Schema {
        object([
            "project_id": .string.optional, "model": .string.optional, "title": .string.optional,
            "system_prompt": .string.optional,
        ])
    }

    static var sessionStats: Schema {
        object([
            "active_sessions": .count, "total_tokens": .count, "total_cost": .number, "total_messages": .count,
        ])
    }

    static var toolServer: Schema {
        object([
            "id": .string, "object": .choice(["mcp_server"]), "name": .string,
            "status": .choice(ToolServerStatus.State.allCases.map(\.rawValue)), "scope": .string.orNull,
            "transport": .string.orNull, "error": .string.orNull, "tool_count": .count,
            "session_id": .string.optional.meaning("whose agent told"),
        ])
    }

    static var serverTool: Schema {
        object([
            "id": .string.meaning("server/tool"), "object": .choice(["mcp_tool"]), "name": .string,
            "server_id": .string, "enabled": .boolean, "read_only": .boolean.orNull.meaning("as the server says"),
        ])
    }

    static var sessionTools: Schema {
        object([
            "object": .choice(["session.tools"]), "servers": .list(toolServer), "tools": .list(serverTool),
            "audit_log": .boolean.meaning("each call is kept in the history"),
        ])
    }

    static var toolsWish: Schema {
        object([
            "enabled_servers": .list(.string).optional, "enabled_tools": .list(.string).optional,
            "priority": .list(.string).optional, "audit_log": .boolean.optional,
        ])
    }

    static var deletedObject: Schema { object(["id": .string, "object": .string, "deleted": .boolean]) }
}
