import OrderedJSON
import Wire

/// An answer as OpenAI's Responses API tells it: a response with one message of one text.
struct ResponsesWriter: ReplyWriter {
    let reply: ChatReply
    /// The id of the response before.
    let previous: String?
    /// The number of the next event.
    private var number = 0

    init(_ reply: ChatReply, previous: String?) {
        self.reply = reply
        self.previous = previous
    }

    func whole(_ text: String, _ end: ChatEnd) -> JSON { response(end.status, text, end) }

    mutating func begin() -> [UInt8] {
        let response = response("in_progress", nil, nil)
        return event("response.created", ["response": response])
            + event("response.in_progress", ["response": response])
            + event("response.output_item.added", ["output_index": 0, "item": item("in_progress", [])])
            + event("response.content_part.added", place.with(["part": part("")]))
    }

    mutating func add(_ text: String) -> [UInt8] {
        event("response.output_text.delta", place.with(["delta": .string(text), "logprobs": []]))
    }

    mutating func end(_ end: ChatEnd, behind text: String) -> [UInt8] {
        var events: [UInt8] = []
        if end.failure == nil {
            events += event("response.output_text.done", place.with(["text": .string(text), "logprobs": []]))
            events += event("response.content_part.done", place.with(["part": part(text)]))
            events += event(
                "response.output_item.done", ["output_index": 0, "item": item(end.itemStatus, [part(text)])])
        }
        return events + event("response.\(end.status)", ["response": response(end.status, text, end)])
    }

    private mutating func event(_ type: String, _ members: JSONObject) -> [UInt8] {
        let numbered: JSONObject = ["sequence_number": .count(number)]
        number += 1
        return ServerSentEvent.typed(type, numbered.with(members))
    }

    private var itemID: JSON { .string("msg_\(reply.prompt)") }

    /// The place of the text in the response.
    private var place: JSONObject { ["item_id": itemID, "output_index": 0, "content_index": 0] }

    private func part(_ text: String) -> JSON {
        ["type": "output_text", "text": .string(text), "annotations": [], "logprobs": []]
    }

    private func item(_ status: JSON, _ content: [JSON]) -> JSON {
        ["type": "message", "id": itemID, "status": status, "role": "assistant", "content": .array(content)]
    }

    /// - Parameter text: `nil` before there is any.
    private func response(_ status: String, _ text: String?, _ end: ChatEnd?) -> JSON {
        let output = text.map { [item(end?.itemStatus ?? "in_progress", [part($0)])] } ?? []
        let object: JSONObject = [
            "id": .string(ResponseID.text(reply)), "object": "response", "created_at": .count(reply.created),
            "status": .string(status), "error": end?.failure?.json["error"] ?? .null,
            "incomplete_details": end?.incompleteDetails ?? .null, "model": .string(reply.model),
            "output": .array(output), "previous_response_id": .text(previous), "usage": end.map(usage) ?? .null,
        ]
        return .object(object.with(reply.place).with(Self.unheeded))
    }

    /// Members that clients expect, of parameters that have no meaning here.
    private static let unheeded: JSONObject = [
        "instructions": .null, "metadata": [:], "parallel_tool_calls": true, "store": false, "temperature": .null,
        "text": ["format": ["type": "text"]], "tool_choice": "auto", "tools": [], "top_p": .null,
        "truncation": "disabled",
    ]

    /// The clients expect details, which the agent does not tell: its input holds what was read from the cache.
    private func usage(_ end: ChatEnd) -> JSON {
        var object: JSONObject = [
            "input_tokens": .count(end.tokens.input), "input_tokens_details": ["cached_tokens": 0],
            "output_tokens": .count(end.tokens.output), "output_tokens_details": ["reasoning_tokens": 0],
            "total_tokens": .count(end.tokens.total),
        ]
        object["total_cost"] = reply.cost(of: end)
        return .object(object)
    }
}

extension ChatEnd {
    fileprivate var status: String {
        if failure != nil { return "failed" }
        return finishReason == .stop ? "completed" : "incomplete"
    }

    fileprivate var itemStatus: JSON { status == "completed" ? "completed" : "incomplete" }

    fileprivate var incompleteDetails: JSON? {
        guard status == "incomplete" else { return nil }
        return ["reason": finishReason == .filter ? "content_filter" : "max_output_tokens"]
    }
}
