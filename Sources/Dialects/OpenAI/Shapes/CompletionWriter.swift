import OrderedJSON
import Wire

/// A chat completion, whole and in chunks.
struct CompletionWriter: ReplyWriter {
    let reply: ChatReply
    /// True if the last chunk holds the usage.
    let includesUsage: Bool
    /// True until the chunk that names the role is written.
    private var isFirst = true

    init(_ reply: ChatReply, includesUsage: Bool) {
        self.reply = reply
        self.includesUsage = includesUsage
    }

    func whole(_ text: String, _ end: ChatEnd) -> JSON {
        let choice: JSON = [
            "index": 0, "message": ["role": "assistant", "content": .string(text), "refusal": .null],
            "logprobs": .null, "finish_reason": .string(end.finishReason.rawValue),
        ]
        var object = envelope("chat.completion", [choice])
        object["usage"] = usage(end)
        if let failure = end.failure { object["error"] = failure.json["error"] }
        return .object(object)
    }

    func begin() -> [UInt8] { reply.session.map { ServerSentEvent.comment("session \($0.id)") } ?? [] }

    mutating func add(_ text: String) -> [UInt8] {
        var delta: JSONObject = ["content": .string(text)]
        if isFirst { delta["role"] = "assistant" }
        isFirst = false
        return chunk(.object(delta), finishReason: .null)
    }

    func end(_ end: ChatEnd, behind text: String) -> [UInt8] {
        events(of: end) + ServerSentEvent.data("[DONE]")
    }

    private func events(of end: ChatEnd) -> [UInt8] {
        if let failure = end.failure { return ServerSentEvent.data(failure.json.serialized()) }
        let last = chunk([:], finishReason: .string(end.finishReason.rawValue))
        guard includesUsage else { return last }
        var object = envelope("chat.completion.chunk", [])
        object["usage"] = usage(end)
        return last + ServerSentEvent.data(JSON.object(object).serialized())
    }

    private func chunk(_ delta: JSON, finishReason: JSON) -> [UInt8] {
        let choice: JSON = ["index": 0, "delta": delta, "logprobs": .null, "finish_reason": finishReason]
        return ServerSentEvent.data(JSON.object(envelope("chat.completion.chunk", [choice])).serialized())
    }

    private func envelope(_ kind: String, _ choices: [JSON]) -> JSONObject {
        let object: JSONObject = [
            "id": .string("chatcmpl-\(reply.prompt)"), "object": .string(kind), "created": .count(reply.created),
            "model": .string(reply.model), "choices": .array(choices),
        ]
        return object.with(reply.place)
    }

    /// Both spellings: OpenAI's, and that of Anthropic.
    private func usage(_ end: ChatEnd) -> JSON {
        let tokens = end.tokens
        var object: JSONObject = [
            "prompt_tokens": .count(tokens.input), "completion_tokens": .count(tokens.output),
            "input_tokens": .count(tokens.input), "output_tokens": .count(tokens.output),
            "total_tokens": .count(tokens.total),
        ]
        object["total_cost"] = reply.cost(of: end)
        return .object(object)
    }
}
