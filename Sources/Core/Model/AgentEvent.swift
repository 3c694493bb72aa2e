package import OrderedJSON

/// The input of an agent's hook, as the agent's folder in `Agents` parsed it.
package struct AgentEvent: Sendable, Hashable {
    package let name: HookEventName
    package let sessionID: String
    /// The directory that the agent works in at this moment; `""` if it sent none.
    package let cwd: String
    /// Equal for all events between two prompts of the user; nil before the first prompt.
    package let promptID: String?
    package let permissionMode: PermissionMode
    /// Set only inside a subagent.
    package let agentID: String?
    package let agentType: String?
    package let tool: ToolCall?
    package let details: Details
    /// The object that the agent sent; empty if it was large, and `large` has it as text.
    private let sent: JSONObject
    private let large: KeptJSON?

    /// The members that only some events have.
    package struct Details: Sendable, Hashable {
        /// The calls of one step of the model, which is over.
        package var batch: [ToolCall] = []
        /// True if nobody can say what the tool's input is: the agent gave its hook only the beginning, or two members
        /// that mean the same, or a letter has more marks than are compared (`String.mostMarks`).
        package var isInputUncertain = false
        /// True for a prompt that the agent gave itself, to report a background task.
        package var isReport = false
        /// The end of what the agent said before its turn ended, for people.
        package var lastWords: String?
        /// The duration of a tool's run.
        package var milliseconds: Int64?
        package var notice: Notice?
        /// The beginning of what the user asked, for people.
        package var prompt: String?
        /// The reason for which a session ended.
        package var reason: String?
        /// A tool's result or its error; null if there is none.
        package var response = KeptJSON(.null)
        /// The reason for which a session started, in the agent's own word.
        package var startSource: JSON = ""
        /// The session's title, for people.
        package var title: String?
        package var transcriptPath = ""

        package init() {}
    }

    /// The meaning of an agent's notification to its user.
    package enum Notice: Sendable, Hashable {
        /// The agent waits for the user's next prompt.
        case idle
        /// A permission dialog is open in the agent's terminal.
        case permission
    }

    /// - Parameter sent: The whole object that the agent sent, in Claude Code's names.
    package init(
        name: HookEventName, sessionID: String, cwd: String, promptID: String?, permissionMode: PermissionMode,
        agentID: String?, agentType: String?, tool: ToolCall?, details: Details, sent: JSONObject
    ) {
        self.init(
            name: name, sessionID: sessionID, cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID, agentType: agentType, tool: tool, details: details, sent: sent, large: nil)
    }

    private init(
        name: HookEventName, sessionID: String, cwd: String, promptID: String?, permissionMode: PermissionMode,
        agentID: String?, agentType: String?, tool: ToolCall?, details: Details, sent: JSONObject, large: KeptJSON?
    ) {
        self.name = name
        self.sessionID = sessionID
        self.cwd = cwd
        self.promptID = promptID
        self.permissionMode = permissionMode
        self.agentID = agentID
        self.agentType = agentType
        self.tool = tool
        self.details = details
        self.sent = sent
        self.large = large
    }

    /// The whole object that the agent sent. A large one is parsed at each call.
    package var everything: JSONObject { large?.value.objectValue ?? sent }

    /// `everything` as JSON text; a large object is not parsed for it.
    package var everythingText: String { large?.text ?? JSON.object(sent).serialized() }

    /// The ids with the names of their members. Only here are the ids of a large input exact if they contain half a
    /// surrogate pair.
    package var ids: [(name: String, id: String?)] {
        [("agent_id", agentID), ("prompt_id", promptID), ("tool_use_id", tool?.useID)].filter { $0.id != nil }
    }

    /// The approximate bytes of its content, without its small members.
    package var size: Int { (large?.size ?? 0) + (tool?.kept.size ?? 0) + details.response.size }

    /// The approximate bytes of memory it takes, small members included.
    package var footprint: Int { size + JSON.object(sent).footprint }

    /// The same event with its values as texts, so that later handling never walks through them. Takes long for a large
    /// event; to be called off the loop.
    package func condensed() -> AgentEvent {
        AgentEvent(
            name: name, sessionID: sessionID, cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID, agentType: agentType, tool: tool?.condensed(), details: details, sent: [:],
            large: isShown ? KeptJSON(.object(sent)) : nil)
    }

    /// True if clients see the whole object of such an event; of a tool's end they see only input and result.
    private var isShown: Bool {
        switch name {
        case .postToolBatch, .postToolUse, .postToolUseFailure: false
        default: true
        }
    }
}
