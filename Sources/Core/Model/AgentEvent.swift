package import OrderedJSON

/// Something that an agent's hook tells or asks, as the agent's folder in `Agents` reads it.
package struct AgentEvent: Sendable, Hashable {
    package let name: HookEventName
    package let sessionID: String
    /// The directory the agent works in at this moment; `""` where it sent none.
    package let cwd: String
    /// Joins everything between two prompts of the user; absent before the first.
    package let promptID: String?
    package let permissionMode: PermissionMode
    /// Present only inside a subagent.
    package let agentID: String?
    package let agentType: String?
    package let tool: ToolCall?
    package let details: Details
    /// What the agent sent; empty where that was large, and kept as its text.
    private let sent: JSONObject
    private let large: KeptJSON?

    /// What only some events tell.
    package struct Details: Sendable, Hashable {
        /// The calls of one step of the model that is over.
        package var batch: [ToolCall] = []
        /// The agent gave its hook only the beginning of the tool's input.
        package var isInputCut = false
        /// A prompt that the agent gave itself, to report a task in the background.
        package var isReport = false
        /// How long a tool ran.
        package var milliseconds: Int64?
        package var notice: Notice?
        /// Why a session ended.
        package var reason: String?
        /// What a tool gave back, or its error; null where there is none.
        package var response = KeptJSON(.null)
        /// Why a session started, in the agent's word.
        package var startSource: JSON = ""
        package var transcriptPath = ""

        package init() {}
    }

    /// What an agent tells its user by a notification.
    package enum Notice: Sendable, Hashable {
        /// It waits for the user's next prompt.
        case idle
        /// A permission dialog stands in its terminal.
        case permission
    }

    /// - Parameter sent: Everything the agent sent, in the words of Claude Code.
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

    /// Everything the agent sent. Takes as long as parsing it, where it was large.
    package var everything: JSONObject { large?.value.objectValue ?? sent }

    /// `everything` as JSON text; that of a large input is not parsed for it.
    package var everythingText: String { large?.text ?? JSON.object(sent).serialized() }

    /// The ids under the names they came by; those of a large input are as they came only here.
    package var ids: [(name: String, id: String?)] {
        [("agent_id", agentID), ("prompt_id", promptID), ("tool_use_id", tool?.useID)].filter { $0.id != nil }
    }

    /// About how many bytes there are beside the small fields.
    package var size: Int { (large?.size ?? 0) + (tool?.kept.size ?? 0) + details.response.size }

    /// About how many bytes it keeps in memory, small fields too.
    package var footprint: Int { size + JSON.object(sent).footprint }

    /// The same event with its values as texts: whoever handles it then never walks through it. Made where time does not
    /// count.
    package func condensed() -> AgentEvent {
        AgentEvent(
            name: name, sessionID: sessionID, cwd: cwd, promptID: promptID, permissionMode: permissionMode,
            agentID: agentID, agentType: agentType, tool: tool?.condensed(), details: details, sent: [:],
            large: isShown ? KeptJSON(.object(sent)) : nil)
    }

    /// Whether approvers see all of such an event; of a tool that has ended they see input and response.
    private var isShown: Bool {
        switch name {
        case .postToolBatch, .postToolUse, .postToolUseFailure: false
        default: true
        }
    }
}
