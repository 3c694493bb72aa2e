package import OrderedJSON
import Rules

/// Why a call is a question to a person each time, whatever rules there are.
package enum RuleLimit: Sendable, Hashable {
    /// The disk did not answer in time.
    case noAnswer
    /// More would have to be looked at than is.
    case tooLarge
}

/// One question to a person: a call of a tool that Claude may not make unasked. Approvers see it as a card.
package struct PermissionRequest: Sendable, Hashable {
    /// Ours: `r_` and 128 random bits as base 32, unique for ever.
    package let id: String
    /// Claude's id of the call; equal to `id` where no PreToolUse told it.
    package var toolUseID: String
    package let sessionID: String
    /// The event that is held now. One question may be held twice: at PreToolUse and again beside the dialog.
    package var event: HookEventName
    package let tool: Tool
    package var input: KeptJSON
    package let cwd: String
    package let promptID: String?
    package let permissionMode: PermissionMode
    package let agentID: String?
    package let agentType: String?
    /// What "allow for session" would remember; empty where no safe rule exists. Stored form of `Pattern`.
    package var patterns: [String]
    /// What "deny for session" would remember.
    package var denyPatterns: [String]
    /// What an allow has to carry as `confirm`; `nil` where nothing. Follows from the policy, so it is not stored.
    package var confirm: String?
    /// Why rules have no say in this call, where they might have; not stored.
    package var ruleLimit: RuleLimit?
    /// Why silence is a deny: one sentence about a deny rule that could not be looked at in time; not stored.
    package var mayBeDenied: String?
    package let createdAt: Timestamp
    /// That of `createdAt` where nobody was asked: by this the two are told apart.
    package var deadline: Timestamp
    /// The deadline to measure by, which alone counts; `nil` where nobody was asked, or before a restart of the machine.
    package var due: Uptime?
    /// Claude's own dialog stands in the terminal at the same time.
    package var isTerminalPrompt: Bool
    package let isUnverified: Bool
    package let isAttended: Bool
    /// Counts how often the question was opened: 1, 2 …
    package var opening: Int
    package var relayToken: String?
    package var bodyDigest: [UInt8]
    /// `nil` while the question is open.
    package var resolution: Resolution?

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

    /// Asked for so many seconds from now.
    package mutating func ask(for seconds: Double, from now: Instant) {
        deadline = now.wall + seconds
        due = now.uptime + seconds
    }

    package var toolName: String { tool.name }

    /// Takes as long as parsing it, where it is kept as its text.
    package var toolInput: JSON { input.value }

    package var isOpen: Bool {
        resolution == nil
    }
}
