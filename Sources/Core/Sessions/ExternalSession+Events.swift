/// The rest of a session is in its own file; these are the changes that events make to it.
extension ExternalSession {
    /// The part that has to be written at once: everything but the time of the last activity and the tool history, which
    /// change with every event and are written together every 30 s, and the end of a turn, which is not written.
    var stored: ExternalSession {
        var copy = self
        copy.tools = []
        copy.lastActivity = startedAt
        copy.lastWords = nil
        copy.hasEndedTurn = false
        return copy
    }

    /// The row that is written with a change. The tools are written every 30 s.
    var withoutTools: ExternalSession {
        var copy = self
        copy.tools = []
        return copy
    }

    init(_ call: HookCall, at now: Timestamp) {
        let (event, source) = (call.event, call.source)
        self.init(
            id: event.sessionID, cwd: event.cwd, root: "", transcriptPath: event.transcriptPath,
            permissionMode: event.permissionMode, startedAt: now, isAttended: source.isAttended,
            isUnverified: !source.isVerified)
        isOfThisMachine = source.isOfThisMachine
    }

    /// Forgets what a device told: the first event of this machine sets the root, and names the transcript.
    mutating func takeOver() {
        isOfThisMachine = true
        root = ""
        transcriptPath = ""
    }

    /// Takes the fields that only a verified event may set. The root is set once and never changes, whatever later
    /// events say.
    mutating func adopt(_ call: HookCall, startTime: (Int32) -> UInt64?) {
        let (event, source) = (call.event, call.source)
        isUnverified = false
        isAttended = source.isAttended
        if !event.cwd.isEmpty { cwd = event.cwd }
        if !event.transcriptPath.isEmpty { transcriptPath = event.transcriptPath }
        if event.permissionMode != .unknown("") { permissionMode = event.permissionMode }
        if root.isEmpty { root = Self.root(cwd: event.cwd, project: source.projectDirectory) }
        if let told = event.details.title { title = told }
        // The report of a background task is no prompt of the user.
        if let prompt = event.details.prompt, !event.details.isReport, event.agentID == nil { lastPrompt = prompt }
        if let pid = source.claudePID, pid != claudePID {
            claudePID = pid
            claudeStartTime = startTime(pid)
        }
    }

    /// A subagent's turns are calls of its session.
    mutating func noteTurn(_ event: AgentEvent) {
        guard event.agentID == nil else { return }
        switch event.name {
        case .stop, .stopFailure: (hasEndedTurn, lastWords) = (true, event.details.lastWords)
        case .preToolUse, .userPromptSubmit: hasEndedTurn = false
        default: break
        }
    }

    /// The project's directory where it holds the first `cwd`, else that `cwd`.
    package static func root(cwd: String, project: String?) -> String {
        guard let project, project.hasPrefix("/") else { return cwd }
        let trimmed = project.count > 1 && project.hasSuffix("/") ? String(project.dropLast()) : project
        return cwd == trimmed || cwd.hasPrefix(trimmed == "/" ? "/" : trimmed + "/") ? trimmed : cwd
    }
}

extension AgentEvent {
    var transcriptPath: String { details.transcriptPath }
}
