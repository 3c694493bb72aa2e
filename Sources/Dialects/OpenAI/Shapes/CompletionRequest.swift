import Core
import OrderedJSON

extension ChatShape {
    /// OpenAI's Chat Completions API.
    static let completions = ChatShape(
        path: "/v1/chat/completions",
        read: { body throws(OpenAIFailure) in try ChatRequest(completion: RequestMembers(object: body)) },
        writer: { CompletionWriter($0, includesUsage: $1.includesUsage) }, spell: \.json)
}

extension ChatRequest {
    fileprivate init(completion members: RequestMembers) throws(OpenAIFailure) {
        let system = try members.string("system_prompt", atMost: Self.longestInstructions)
        try self.init(
            members, messages: ChatMessages(Self.messages(members), in: "messages"),
            instructions: system.map { [$0] } ?? [],
            known: [
                "stream_options", "messages", "system_prompt", "n", "response_format", "tool_choice", "modalities",
            ])
        includesUsage = try members.members("stream_options")?.boolean("include_usage") ?? false
        try Self.refuseUnsupported(members)
    }

    private static func messages(_ members: RequestMembers) throws(OpenAIFailure) -> [ChatMessage] {
        var messages: [ChatMessage] = []
        for (index, message) in try members.messages("messages").enumerated() {
            messages.append(try ChatMessage(openAI: message, at: "messages[\(index)]"))
        }
        return messages
    }

    /// Refuses what a client would believe to have got if it were ignored.
    private static func refuseUnsupported(_ members: RequestMembers) throws(OpenAIFailure) {
        if let count = members.value("n"), count.intValue != 1 {
            throw .invalid("\"n\" must be 1: a session has one conversation", param: "n")
        }
        let format = members.value("response_format")
        if let format, format["type"]?.stringValue != "text" {
            throw .invalid("\"response_format\" must be of the type text", param: "response_format")
        }
        try members.refuseToolChoice(members.value("tool_choice")?.stringValue)
        if let kinds = members.value("modalities"), kinds != ["text"] {
            throw .invalid("\"modalities\" must be [\"text\"]", param: "modalities")
        }
    }
}

extension RequestMembers {
    /// A list of messages, which is not empty.
    func messages(_ name: String) throws(OpenAIFailure) -> [JSON] {
        guard let list = value(name)?.arrayValue, (1...ChatMessages.most).contains(list.count) else {
            throw .invalid("\"\(name)\" must be a list of 1 to \(ChatMessages.most) messages", param: name)
        }
        return list
    }

    /// - Parameter kind: The choice of tools that the client asks for.
    func refuseToolChoice(_ kind: String?) throws(OpenAIFailure) {
        guard value("tool_choice") != nil, !["auto", "none"].contains(kind) else { return }
        throw .invalid("the agent runs its own tools; \"tool_choice\" must be auto or none", param: "tool_choice")
    }
}

extension ChatMessage {
    /// Reads a message of OpenAI's APIs.
    init(openAI message: JSON, at place: String) throws(OpenAIFailure) {
        blocks = try MessageContent.blocks(of: message, at: place)
        guard let role = message["role"]?.stringValue.flatMap(Role.init(rawValue:)) else {
            throw .invalid(
                "the \"role\" of a message must be system, developer, user, assistant or tool", param: "\(place).role")
        }
        self.role = role
    }
}
