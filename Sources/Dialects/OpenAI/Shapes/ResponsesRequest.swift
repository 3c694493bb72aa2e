import Core
import OrderedJSON

extension ChatShape {
    /// OpenAI's Responses API.
    static let responses = ChatShape(
        path: "/v1/responses",
        read: { body throws(OpenAIFailure) in try ChatRequest(responses: RequestMembers(object: body)) },
        writer: { ResponsesWriter($0, previous: $1.previousResponse) }, spell: \.json)
}

/// The id of a response, which names its session, so that it is known to the next daemon too.
enum ResponseID {
    static func text(_ reply: ChatReply) -> String {
        (["resp"] + [reply.session?.id, reply.prompt].compactMap(\.self)).joined(separator: "_")
    }

    /// The session; `nil` for an id that was not made here.
    static func session(of id: String) -> String? {
        guard id.hasPrefix("resp_s_"), let end = id.lastIndex(of: "_") else { return nil }
        let session = id[..<end].dropFirst("resp_".count)
        return session.count > 2 && id.index(after: end) < id.endIndex ? String(session) : nil
    }
}

extension ChatRequest {
    fileprivate init(responses members: RequestMembers) throws(OpenAIFailure) {
        let previous = try members.name("previous_response_id")
        let session = previous.flatMap(ResponseID.session)
        if let previous, session == nil { throw .unknownResponse(previous) }
        let instructions = try members.string("instructions", atMost: Self.longestInstructions)
        try self.init(
            members, messages: ChatMessages(Self.messages(members), in: "input"),
            instructions: instructions.map { [$0] } ?? [], session: session,
            known: [
                "input", "instructions", "previous_response_id", "text", "tool_choice", "background", "conversation",
                "prompt",
            ])
        previousResponse = previous
        try Self.refuseUnsupported(members)
    }

    private static func messages(_ members: RequestMembers) throws(OpenAIFailure) -> [ChatMessage] {
        if let text = members.value("input")?.stringValue { return [ChatMessage(role: .user, blocks: [.text(text)])] }
        var messages: [ChatMessage] = []
        for (index, item) in try members.messages("input").enumerated() {
            if let message = try message(of: item, at: "input[\(index)]") { messages.append(message) }
        }
        return messages
    }

    /// - Returns: `nil` for a thought or a call, which are in no prompt.
    private static func message(of item: JSON, at place: String) throws(OpenAIFailure) -> ChatMessage? {
        let type = item["type"]?.stringValue ?? "message"
        switch type {
        case "message": return try ChatMessage(openAI: item, at: place)
        case "reasoning": return nil
        case _ where type.hasSuffix("_call"): return nil
        case _ where type.hasSuffix("_call_output"):
            return ChatMessage(role: .tool, blocks: [.text(item["output"]?.stringValue ?? "")])
        default:
            throw .invalid("an item of \"input\" must be a message", param: "\(place).type")
        }
    }

    /// Refuses what a client would believe to have got if it were ignored.
    private static func refuseUnsupported(_ members: RequestMembers) throws(OpenAIFailure) {
        if let text = members.value("text"), let format = text["format"], !format.isNull,
            format["type"]?.stringValue != "text"
        {
            throw .invalid("\"text.format\" must be of the type text", param: "text")
        }
        try members.refuseToolChoice(members.value("tool_choice")?.stringValue)
        if try members.boolean("background") {
            throw .invalid("a response is sent as the answer, not kept for later", param: "background")
        }
        for name in ["conversation", "prompt"] where members.value(name) != nil {
            throw .invalid("there is no \"\(name)\" here; name a session by \"previous_response_id\"", param: name)
        }
    }
}
