import Core
import OrderedJSON

/// One message of a request, whatever its shape.
struct ChatMessage: Sendable, Hashable {
    enum Role: String, Sendable {
        case assistant, developer, function, system, tool, user
    }

    let role: Role
    let blocks: [PromptBlock]
}

/// The messages of a request: what the conversation was, and what is new.
struct ChatMessages: Sendable, Hashable {
    struct Past: Sendable, Hashable {
        let role: String
        let text: String
    }

    /// Texts of the roles `system` and `developer`.
    private(set) var instructions: [String] = []
    /// The messages before those that are new.
    private(set) var past: [Past] = []
    /// The messages of the user behind the last answer.
    private(set) var prompt: [PromptBlock] = []
    /// The same, message by message.
    private(set) var newest: [Past] = []
    private(set) var hasPictures = false

    /// Messages in one request.
    static let most = 5000

    /// - Parameter name: The member of the request that holds them.
    init(_ messages: [ChatMessage], in name: String) throws(OpenAIFailure) {
        let newest = messages.lastIndex { $0.role == .assistant || $0.role == .tool } ?? -1
        for (index, message) in messages.enumerated() { add(message, isNew: index > newest) }
        guard prompt.contains(where: { $0.size > 0 }) else {
            throw .invalid("the last of \"\(name)\" must be the user's, and must not be empty", param: name)
        }
        guard prompt.reduce(0, { $0 + $1.size }) <= SessionPrompt.longest else {
            throw .invalid("the new messages have at most \(SessionPrompt.longest) bytes", param: name)
        }
    }

    private mutating func add(_ message: ChatMessage, isNew: Bool) {
        hasPictures = hasPictures || message.blocks.contains { if case .image = $0 { true } else { false } }
        let text = MessageContent.text(of: message.blocks)
        switch message.role {
        case .developer, .system: instructions.append(text)
        case .user where isNew:
            prompt += message.blocks
            newest.append(Past(role: message.role.rawValue, text: text))
        case .assistant, .function, .tool, .user: past.append(Past(role: message.role.rawValue, text: text))
        }
    }
}
