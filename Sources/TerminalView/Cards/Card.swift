package import Core
package import OrderedJSON

/// A card as `event/pty_permission` describes it. Two cards are equal when all their fields are.
package struct Card: Sendable, Equatable {
    package let requestID: String
    package let sessionID: String
    /// The tool as the card describes it; the client knows nothing else about tools.
    package let tool: Tool
    package let input: JSON
    package let cwd: String
    /// The target of the call, or its description, on one line, for lists.
    package let summary: String
    package let patterns: [String]
    package let createdAt: Timestamp?
    package let deadline: Timestamp?
    package let opening: Int
    package let agentID: String
    package let agentType: String
    package let mode: String
    /// The word that an allow must carry, typed by the person.
    package let confirmPrompt: String?
    /// True if the daemon cut strings of the input to fit the frame.
    package let isCut: Bool
    package let isUnverified: Bool
    /// True if Claude's own dialog is open in its terminal as well.
    package let isTerminalPrompt: Bool
    package let agent: String
    /// True if the agent can ask with its own dialog.
    package let canAsk: Bool
    /// A sentence on why no rule settles the call; empty if rules may.
    package let rulesNote: String
    /// The calls that "for session" would allow, in words; empty if the daemon does not say.
    package let scopeWords: String
    /// True if a change of a file goes outside the project; `nil` where nobody can tell.
    package let isOutside: Bool?
    /// The session's title, what the person asked last, and Claude's last words before the call; empty if unknown.
    package let title, prompted, lastWords: String

    /// `nil` if `params` has no request id.
    package init?(_ params: JSON) {
        guard let id = params["request_id"]?.stringValue, !id.isEmpty else { return nil }
        requestID = id
        sessionID = params.text("session_id")
        tool = Tool(named: params.text("tool_name"), params)
        input = params["tool_input"] ?? [:]
        cwd = params.text("cwd")
        summary = params.text("target").isEmpty ? params.text("description") : params.text("target")
        patterns = (params["patterns"]?.arrayValue ?? []).compactMap(\.stringValue)
        createdAt = Timestamp(rfc3339: params.text("created_at"))
        deadline = Timestamp(rfc3339: params.text("deadline"))
        opening = params["opening"]?.intValue ?? 1
        agentID = params.text("agent_id")
        agentType = params.text("agent_type")
        mode = params.text("permission_mode")
        confirmPrompt = params["confirm"]?["prompt"]?.stringValue
        isCut = (params["truncated"]?.objectValue ?? [:]).contains { !Self.isRepeated($0.key) }
        isUnverified = params["unverified"]?.boolValue ?? false
        isTerminalPrompt = params["terminal_prompt"]?.boolValue ?? false
        agent = params.text("agent")
        canAsk = params["can_ask"]?.boolValue ?? true
        rulesNote = params.text("rules_note")
        scopeWords = params.text("scope_words")
        isOutside = (params["outside"] ?? false).boolValue
        let context = params["context"] ?? [:]
        title = context.text("title")
        prompted = context.text("prompt")
        lastWords = context.text("last_words")
    }

    /// True for members that only repeat parts of the input, for lists.
    private static func isRepeated(_ path: String) -> Bool {
        ["$.description", "$.preview", "$.target"].contains(path)
    }

    /// The last component of the directory.
    package static func name(of directory: String) -> String {
        directory.split(separator: "/").last.map(String.init) ?? directory
    }
}

extension Tool {
    /// The tool of a call, as the daemon describes it.
    package init(named name: String, _ params: JSON) {
        let names = (params["members"]?.objectValue ?? [:]).compactMap { key, value in
            ToolRole(rawValue: key).flatMap { role in value.stringValue.map { (role, $0) } }
        }
        self.init(
            name: name, kind: ToolKind(rawValue: params.text("kind")) ?? .other,
            members: ToolMembers(Dictionary(names) { first, _ in first }))
    }
}

extension JSON {
    /// A member's text; empty if there is none.
    func text(_ key: String) -> String { self[key]?.stringValue ?? "" }

    func list(_ key: String) -> [JSON] { self[key]?.arrayValue ?? [] }
}
