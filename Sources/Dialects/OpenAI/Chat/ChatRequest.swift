import Core
import OrderedJSON

/// A request for a turn, whatever its shape.
struct ChatRequest: Sendable, Hashable {
    let model: ChatModel
    /// The id of a workspace.
    let project: String?
    let session: String?
    let isStreamed: Bool
    /// True if a stream holds a line with the link to each card that is waited for.
    let linksCards: Bool
    let messages: ChatMessages
    /// The client's instructions: those beside the messages, then those among them.
    let instructions: [String]
    /// Members that were sent and have no meaning here.
    let ignored: [String]
    /// True if the last chunk of a completion's stream holds the usage.
    var includesUsage = false
    /// The response that the request goes on from, as OpenAI's Responses API has it.
    var previousResponse: String?

    static let longestInstructions = 1 << 20

    /// Reads the members that all shapes have.
    /// - Parameters:
    ///   - session: Named in another way than by `session_id`.
    ///   - known: The other members that the shape reads.
    init(
        _ members: RequestMembers, messages: ChatMessages, instructions: [String], session: String? = nil,
        known: Set<String>
    ) throws(OpenAIFailure) {
        let places = [members, try members.members("metadata")].compactMap(\.self)
        model = try ChatModel(members.string("model"))
        project = try Self.name("project_id", in: places)
        let named = try Self.name("session_id", in: places)
        guard named == nil || session == nil || named == session else {
            throw .invalid("the request names two sessions; leave \"session_id\" out", param: "session_id")
        }
        self.session = session ?? named
        isStreamed = try members.boolean("stream")
        linksCards = try members.boolean("card_links")
        self.messages = messages
        self.instructions = instructions + messages.instructions
        ignored = members.object.keys.filter { !known.contains($0) && !Self.common.contains($0) }
    }

    /// The first that is there. Some clients can send no members of their own but in `metadata`.
    private static func name(_ name: String, in places: [RequestMembers]) throws(OpenAIFailure) -> String? {
        for members in places {
            if let found = try members.name(name) { return found }
        }
        return nil
    }

    private static let common: Set<String> = [
        "model", "project_id", "session_id", "metadata", "stream", "card_links",
    ]

    /// The failure of a request for a session that is not there.
    var unknownSession: OpenAIFailure {
        guard let previousResponse else { return .notFound("Session not found", param: "session_id") }
        return .unknownResponse(previousResponse)
    }
}

/// A client calls the model so. The name is that of a model of the agent, or leads to a workspace.
struct ChatModel: Sendable, Hashable {
    /// As it was sent, for the answer.
    let name: String
    /// The name or id of a workspace.
    let workspace: String?
    /// As the agent's `--model` takes it; `nil` for the agent's default.
    let model: String?

    static let prefix = "claude/"
    static let plain = "claude"

    init(_ sent: String?) throws(OpenAIFailure) {
        name = sent.flatMap { $0.isEmpty ? nil : $0 } ?? Self.plain
        workspace = name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : nil
        let isPlain = workspace != nil || [Self.plain, "default"].contains(name)
        guard isPlain || Self.isModel(name), workspace != "" else {
            throw .invalid("\"model\" must be a model's id, or \(Self.prefix)WORKSPACE; GET /v1/models", param: "model")
        }
        model = isPlain ? nil : name
    }

    /// True for a word that stands in a command line as what it is.
    private static func isModel(_ name: String) -> Bool {
        let others: Set<Character> = ["-", ".", "_", ":", "/", "@", "[", "]"]
        return name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) }
    }
}
