import Core
import OrderedJSON

extension ChatShape {
    /// Anthropic's Messages API.
    static let messages = ChatShape(
        path: "/v1/messages",
        read: { body throws(OpenAIFailure) in try ChatRequest(messages: RequestMembers(object: body)) },
        writer: { reply, _ in MessagesWriter(reply: reply) }, spell: \.anthropicJSON)
}

extension ChatRequest {
    fileprivate init(messages members: RequestMembers) throws(OpenAIFailure) {
        try self.init(
            members, messages: ChatMessages(Self.messages(members), in: "messages"),
            instructions: Self.system(members),
            known: ["messages", "system", "tool_choice", "output_config", "output_format"])
        try members.refuseToolChoice(members.value("tool_choice")?["type"]?.stringValue)
        guard members.value("output_format") == nil, members.value("output_config")?["format"]?.isNull ?? true else {
            throw .invalid("an answer has no format; leave \"output_config.format\" out", param: "output_config")
        }
    }

    private static func system(_ members: RequestMembers) throws(OpenAIFailure) -> [String] {
        guard let system = members.value("system") else { return [] }
        let refusal = OpenAIFailure.invalid("\"system\" must be a text, or a list of texts", param: "system")
        let blocks = try MessageContent.blocks(of: system, refusal: refusal) {
            block throws(OpenAIFailure) in
            guard block["type"]?.stringValue == "text", let text = block["text"]?.stringValue else { throw refusal }
            return [.text(text)]
        }
        guard blocks.reduce(0, { $0 + $1.size }) <= longestInstructions else {
            throw .invalid("\"system\" has at most \(longestInstructions) bytes", param: "system")
        }
        return blocks.map { MessageContent.text(of: [$0]) }
    }

    private static func messages(_ members: RequestMembers) throws(OpenAIFailure) -> [ChatMessage] {
        var messages: [ChatMessage] = []
        for (index, message) in try members.messages("messages").enumerated() {
            messages += try Self.messages(in: message, at: "messages[\(index)]")
        }
        return messages
    }

    /// Results of tools stand in a message of the user, but are none.
    private static func messages(in message: JSON, at place: String) throws(OpenAIFailure) -> [ChatMessage] {
        let refusal = MessageContent.refusal(at: "\(place).content")
        var results: [PromptBlock]?
        let blocks = try MessageContent.blocks(of: message["content"], refusal: refusal) {
            block throws(OpenAIFailure) in
            guard block["type"]?.stringValue == "tool_result" else { return try Self.blocks(block, refusal) }
            results = try (results ?? []) + Self.blocks(ofResult: block, refusal)
            return []
        }
        guard let role = message["role"]?.stringValue.flatMap(ChatMessage.Role.init(rawValue:)),
            [.assistant, .system, .user].contains(role)
        else { throw .invalid("the \"role\" of a message must be user or assistant", param: "\(place).role") }
        guard let results else { return [ChatMessage(role: role, blocks: blocks)] }
        let rest = blocks.isEmpty ? [] : [ChatMessage(role: role, blocks: blocks)]
        return [ChatMessage(role: .tool, blocks: results)] + rest
    }

    private static func blocks(
        ofResult result: JSON, _ refusal: OpenAIFailure
    ) throws(OpenAIFailure) -> [PromptBlock] {
        guard let content = result["content"], !content.isNull else { return [] }
        return try MessageContent.blocks(of: content, refusal: refusal) { part throws(OpenAIFailure) in
            try blocks(part, refusal)
        }
    }

    /// - Returns: Nothing for a thought or a call, which are in no prompt.
    private static func blocks(_ block: JSON, _ refusal: OpenAIFailure) throws(OpenAIFailure) -> [PromptBlock] {
        switch block["type"]?.stringValue {
        case "redacted_thinking", "server_tool_use", "thinking", "tool_use": return []
        case "image":
            guard let source = block["source"], source["type"]?.stringValue == "base64" else {
                throw .invalid("send a picture as a source of the type base64", param: refusal.param)
            }
            return [
                try MessageContent.picture(
                    source["media_type"]?.stringValue, source["data"]?.stringValue ?? "", at: refusal.param ?? "")
            ]
        case "text":
            guard let text = block["text"]?.stringValue else { throw refusal }
            return [.text(text)]
        default: throw refusal
        }
    }
}
