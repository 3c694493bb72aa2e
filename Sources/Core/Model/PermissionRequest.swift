package import OrderedJSON
import Rules

/// The reason for which no rule can settle a call, so that a person is asked each time.
package enum RuleLimit: Sendable, Hashable {
    /// The disk did not answer in time.
    case noAnswer
    /// The call is larger than the rules examine.
    case tooLarge
    /// The agent shows only the beginning of the input, or names a part of it twice.
    case uncertainInput
}

/// A tool call that needs a decision. Approvers see it as a card.
package struct PermissionRequest: Sendable, Hashable {
    /// Our id: `r_`, 80 random bits and the time in base 32; unique for ever.
    package let id: String
    /// Claude's id of the call; equal to `id` if no PreToolUse reported one.
    package var toolUseID: String
    package let sessionID: String
    /// The event that is held now. One request may be held twice: at PreToolUse and again beside the dialog.
    package var event: HookEventName
    package let tool: Tool
    package var input: KeptJSON
    package let cwd: String
    package let promptID: String?
    package let permissionMode: PermissionMode
    package let agentID: String?
    package let agentType: String?
    /// The patterns that "allow for session" would remember, in their stored form; empty if no safe rule exists.
    package var patterns: [String]
    /// The patterns that "deny for session" would remember.
    package var denyPatterns: [String]
    /// The word that an allow must carry as `confirm`; `nil` if none. Follows from the policy, so it is not stored.
    package var confirm: String?
    /// The reason for which no rule can settle this call; not stored.
    package var ruleLimit: RuleLimit?
    /// The project directory of the session; not stored.
    package var root = ""
    /// True for a change of a file outside the project; `nil` where nobody can tell where the file is. Not stored.
    package var isOutside: Bool? = false
    /// The reasons for the call; not stored.
    package var context = CallContext()
    package let createdAt: Timestamp
    /// Equal to `createdAt` if nobody was asked, which tells the two cases apart.
    package var deadline: Timestamp
    /// The deadline that counts, on the monotonic clock; `nil` if nobody was asked, or if it was before the machine's
    /// last start.
    package var due: Uptime?
    /// True if Claude's own dialog is open in the terminal at the same time.
    package var isTerminalPrompt: Bool
    package let isUnverified: Bool
    package let isAttended: Bool
    /// The number of the opening: 1, 2 …
    package var opening: Int
    package var relayToken: String?
    package var bodyDigest: [UInt8]
    /// `nil` while the request is open.
    package var resolution: Resolution?

    /// The URL that opens the card on the page.
    /// - Parameter base: the daemon's URL, without a final `/`.
    package func url(on base: String) -> String { "\(base)/#request=\(id)" }

    package init(
        id: String, toolUseID: String, sessionID: String, event: HookEventName, tool: Tool, input: KeptJSON,
        cwd: String, promptID: String? = nil, permissionMode: PermissionMode = .default, agentID: String? = nil,
        agentType: String? = nil, patterns: [String] = [], denyPatterns: [String] = [], confirm: String? = nil,
        createdAt: Timestamp, deadline: Timestamp, due: Uptime? = nil, isTerminalPrompt: Bool = false,
        isUnverified: Bool = false,
        isAttended: Bool = true,
        opening: Int = 1, relayToken: String? = nil, bodyDigest: [UInt8] = [], resolution: Resolution? = nil
    ) {
        self.id = id
        self.toolUseID = toolUseID
        self.sessionID = sessionID
        self.event = event
        self.tool = tool
        self.input = input
        self.cwd = cwd
        self.promptID = promptID
        self.permissionMode = permissionMode
        self.agentID = agentID
        self.agentType = agentType
        self.patterns = patterns
        self.denyPatterns = denyPatterns
        self.confirm = confirm
        self.createdAt = createdAt
        self.deadline = deadline
        self.due = due
        self.isTerminalPrompt = isTerminalPrompt
        self.isUnverified = isUnverified
        self.isAttended = isAttended
        self.opening = opening
        self.relayToken = relayToken
        self.bodyDigest = bodyDigest
        self.resolution = resolution
    }

    /// The calls that "allow for session" would cover, in a sentence for people; `nil` where it is not offered.
    package var scopeWords: String? {
        guard !patterns.isEmpty else { return nil }
        let words = patterns.prefix(Self.mostPatternsInWords).map { Pattern(stored: $0)?.words(root: root) ?? $0 }
        let more = patterns.count - words.count
        let all = words + (more > 0 ? ["\(more) more"] : [])
        return all.joined(separator: " and ") + ", until the session ends or you revoke it"
    }

    private static let mostPatternsInWords = 3

    /// Sets the deadline to so many seconds from now.
    package mutating func ask(for seconds: Double, from now: Instant) {
        deadline = now.wall + seconds
        due = now.uptime + seconds
    }

    package var toolName: String { tool.name }

    /// The input as a value. If it is kept as text, it is parsed at each access.
    package var toolInput: JSON { input.value }

    package var isOpen: Bool {
        resolution == nil
    }
}
