/// An agent's session, known through its hooks.
package struct ExternalSession: Sendable, Hashable {
    package let id: String
    package var cwd: String
    /// The project directory, outside of which no rule applies; set once, by the first verified event.
    package var root: String
    package var transcriptPath: String
    package var permissionMode: PermissionMode
    package let startedAt: Timestamp
    package var lastActivity: Timestamp
    package var claudePID: Int32?
    /// The kernel's start time of that process, since a pid can be another process's later.
    package var claudeStartTime: UInt64?
    package var isAttended: Bool
    package var isUnverified: Bool
    /// True if a hook of this machine was sent in it, by the kernel's word. What only devices tell of has no file read for
    /// it, and takes no room of the others.
    package var isOfThisMachine = true
    /// Texts for people, at most `CallContext.longest` characters each.
    package var title: String?
    package var lastPrompt: String?
    /// The agent's last words of the turn that ended last. Not kept across restarts, nor `hasEndedTurn`.
    package var lastWords: String?
    /// True if the agent has answered, and waits for a prompt.
    package var hasEndedTurn = false
    /// The gate that a person set for this session; `nil` for the configuration's.
    package var gate: Policy.Gate?
    /// True if the session goes on after `/clear` with the rules of the session before; they hold for its process only.
    package var isHeir = false
    /// Oldest first, at most `SessionBook.historyLimit`.
    package var tools: [ToolRun]
    package var endedAt: Timestamp?

    package init(
        id: String, cwd: String, root: String, transcriptPath: String = "", permissionMode: PermissionMode = .default,
        startedAt: Timestamp, lastActivity: Timestamp? = nil, claudePID: Int32? = nil, claudeStartTime: UInt64? = nil,
        isAttended: Bool = true, isUnverified: Bool = false, title: String? = nil, lastPrompt: String? = nil,
        gate: Policy.Gate? = nil, tools: [ToolRun] = [], endedAt: Timestamp? = nil
    ) {
        self.id = id
        self.cwd = cwd
        self.root = root
        self.transcriptPath = transcriptPath
        self.permissionMode = permissionMode
        self.startedAt = startedAt
        self.lastActivity = lastActivity ?? startedAt
        self.claudePID = claudePID
        self.claudeStartTime = claudeStartTime
        self.isAttended = isAttended
        self.isUnverified = isUnverified
        self.title = title
        self.lastPrompt = lastPrompt
        self.gate = gate
        self.tools = tools
        self.endedAt = endedAt
    }
}

extension ExternalSession {
    /// True if its Claude process has ended, or its pid is another process's now.
    func isAbandoned(startTime: (Int32) -> UInt64?) -> Bool {
        guard let pid = claudePID, let started = claudeStartTime else { return false }
        return startTime(pid) != started
    }
}
