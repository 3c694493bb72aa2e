import OrderedJSON
import Wire

/// An answer as Anthropic's Messages API tells it: a message with one block of text.
struct MessagesWriter: ReplyWriter {
    let reply: ChatReply

    func whole(_ text: String, _ end: ChatEnd) -> JSON {
        var object = message(content: [["type": "text", "text": .string(text)]], usage(end))
        object["stop_reason"] = end.stopReason
        if let failure = end.failure { object["error"] = failure.anthropicJSON["error"] }
        return .object(object)
    }

    func begin() -> [UInt8] {
        let message = message(content: [], ["input_tokens": 0, "output_tokens": 0])
        return ServerSentEvent.typed("message_start", ["message": .object(message)])
            + ServerSentEvent.typed(
                "content_block_start", ["index": 0, "content_block": ["type": "text", "text": ""]])
    }

    func add(_ text: String) -> [UInt8] {
        ServerSentEvent.typed(
            "content_block_delta", ["index": 0, "delta": ["type": "text_delta", "text": .string(text)]])
    }

    /// This API has an event of its own for it.
    func wait(isAsking: Bool) -> [UInt8] { ServerSentEvent.typed("ping", [:]) }

    func end(_ end: ChatEnd, behind text: String) -> [UInt8] {
        if let failure = end.failure {
            return ServerSentEvent.event("error", failure.anthropicJSON.serialized())
        }
        return ServerSentEvent.typed("content_block_stop", ["index": 0])
            + ServerSentEvent.typed(
                "message_delta",
                ["delta": ["stop_reason": end.stopReason, "stop_sequence": .null], "usage": usage(end)])
            + ServerSentEvent.typed("message_stop", [:])
    }

    private func message(content: [JSON], _ usage: JSON) -> JSONObject {
        let object: JSONObject = [
            "id": .string("msg_\(reply.prompt)"), "type": "message", "role": "assistant",
            "model": .string(reply.model), "content": .array(content), "stop_reason": .null, "stop_sequence": .null,
            "usage": usage,
        ]
        return object.with(reply.place)
    }

    private func usage(_ end: ChatEnd) -> JSON {
        var object: JSONObject = [
            "input_tokens": .count(end.tokens.input), "output_tokens": .count(end.tokens.output),
        ]
        object["total_cost"] = reply.cost(of: end)
        return .object(object)
    }
}

extension ChatEnd {
    fileprivate var stopReason: JSON {
        switch finishReason {
        case .filter: "refusal"
        case .length: "max_tokens"
        case .stop: "end_turn"
        }
    }
}

extension OpenAIFailure {
    /// The failure as Anthropic's clients read it.
    var anthropicJSON: JSON {
        var details: JSONObject = ["error_code": .string(code)]
        if let param { details["param"] = .string(param) }
        return [
            "type": "error",
            "error": ["type": .string(anthropicType), "message": .string(message), "details": .object(details)],
        ]
    }

    private var anthropicType: String {
        switch status.code {
        case 401: "authentication_error"
        case 403: "permission_error"
        case 404: "not_found_error"
        case 409: "conflict_error"
        case 429: "rate_limit_error"
        case 503: "overloaded_error"
        case 500...: "api_error"
        default: "invalid_request_error"
        }
    }
}
