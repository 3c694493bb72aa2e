import Core

// The forms of a turn, for the document of all routes.

extension Schema {
    /// The members that a request for a turn has in each shape.
    static var turnRequest: Schema {
        object([
            "model": .string.optional.meaning("a model's id, or claude/PROJECT"), "project_id": .string.optional,
            "session_id": .string.optional.meaning("the session to go on in"),
            "metadata": object(["project_id": .string.optional, "session_id": .string.optional]).optional,
            "stream": .boolean.optional,
            "card_links": .boolean.optional.meaning("put the link to each card that is waited for into a stream"),
        ])
    }

    static func messages(of roles: [String]) -> Schema {
        .list(
            object(["role": .choice(roles), "content": content.orNull.optional])
                .setting("additionalProperties", true))
    }

    private static var content: Schema {
        oneOf(.string, .list(object(["type": .string]).setting("additionalProperties", true)))
    }

    // MARK: Anthropic's

    static var anthropicError: Schema {
        let error = object([
            "type": .string, "message": .string,
            "details": object(["error_code": .string, "param": .string.optional.meaning("the wrong member")]),
        ])
        return object(["type": .choice(["error"]), "error": error]).named("AnthropicError")
    }

    static var anthropicRequest: Schema {
        object(["messages": messages(of: ["user", "assistant"]), "system": content.optional])
            .with(turnRequest).named("AnthropicRequest")
    }

    static var anthropicMessage: Schema {
        let usage = object([
            "input_tokens": .count, "output_tokens": .count,
            "total_cost": .number.optional.meaning("of this turn, in dollars"),
        ])
        return object([
            "id": .string, "type": .choice(["message"]), "role": .choice(["assistant"]), "model": .string,
            "content": .list(object(["type": .choice(["text"]), "text": .string])),
            "stop_reason": .choice(["end_turn", "max_tokens", "refusal"]), "stop_sequence": .string.orNull,
            "usage": usage, "session_id": .string, "project_id": .string,
        ]).named("AnthropicMessage")
    }

    // MARK: OpenAI's Responses

    static var responsesRequest: Schema {
        object([
            "input": content, "instructions": .string.optional,
            "previous_response_id": .string.optional.meaning("the response to go on from"),
        ]).with(turnRequest).named("ResponsesRequest")
    }

    static var openAIResponse: Schema {
        let text = object(["type": .choice(["output_text"]), "text": .string])
        let item = object([
            "type": .choice(["message"]), "id": .string, "role": .choice(["assistant"]), "status": .string,
            "content": .list(text),
        ])
        return object([
            "id": .string, "object": .choice(["response"]), "created_at": .count, "model": .string,
            "status": .choice(["completed", "incomplete", "failed"]), "error": anyObject.orNull,
            "incomplete_details": object(["reason": .string]).orNull, "output": .list(item),
            "previous_response_id": .string.orNull, "usage": responseUsage, "session_id": .string,
            "project_id": .string,
        ]).named("OpenAIResponse")
    }

    private static var responseUsage: Schema {
        object([
            "input_tokens": .count, "output_tokens": .count, "total_tokens": .count,
            "total_cost": .number.optional.meaning("of this turn, in dollars"),
        ])
    }
}
