import OrderedJSON

/// The known sessions: their roots, their running tools, and when they have ended.
struct SessionBook {
    private(set) var sessions: [String: ExternalSession] = [:]
    /// When each session last sent an event. Starts anew with a restored session, since the last events before a daemon
    /// was killed may not be written.
    private var heard: [String: Uptime] = [:]
    /// Sessions whose last activity or tools are not written yet.
    private var unwritten: Set<String> = []
    /// The living Claude processes that hooks named, with their start times. They stay when their session ends or names
    /// another process: a process inside Claude could send such an event, and would then no longer be recognised as
    /// inside.
    private(set) var claudes: [Int32: UInt64] = [:]
    /// Changes of `claudes` that are not written yet.
    private var claudeChanges: [StoreChange] = []
    /// Roots of ended sessions, for sessions that continue later.
    private var formerRoots: [String: String] = [:]
    /// Ids of these sessions, in the order in which they ended.
    private var formerOrder: [String] = []

    /// The most sessions at a time: any process of this machine can name a new session with each event.
    static let limit = 1000
    /// The most tool calls kept for each session; of a full history the oldest tenth is dropped.
    static let historyLimit = 100
    /// The most histories that are written at a time, as many as a start reads. A decision waits meanwhile, and the
    /// histories of a thousand sessions took twenty seconds.
    static let writtenHistories = 8
    /// Seconds without an event after which an idle session is stale.
    static let staleAfter: Double = 300
    /// Seconds without an event after which a session without a known process is forgotten.
    static let forgottenAfter: Double = 86_400
    /// The most roots kept of ended sessions.
    static let formerLimit = 1000

    subscript(id: String) -> ExternalSession? { sessions[id] }

    /// Notes an event of the session and what the relay says of its environment. True where the session's row has to be
    /// written at once.
    mutating func observe(_ call: HookCall, at now: Instant, startTime: (Int32) -> UInt64?) -> Bool {
        let event = call.event
        let before = sessions[event.sessionID]
        unwritten.insert(event.sessionID)
        var session = before ?? ExternalSession(call, at: now.wall)
        session.lastActivity = now.wall
        heard[event.sessionID] = now.uptime
        if call.source.isVerified {
            if session.root.isEmpty { session.root = formerRoots[session.id] ?? "" }
            session.adopt(call, startTime: startTime)
            noteProcess(of: session)
        }
        session.noteTurn(event)
        sessions[event.sessionID] = session
        return before?.stored != session.stored
    }

    /// The root that the session has, or will have after `observe` of the event.
    func root(for call: HookCall) -> String {
        let session = call.event.sessionID
        let known = sessions[session]?.root ?? ""
        guard call.source.isVerified, known.isEmpty else { return known }
        let former = formerRoots[session] ?? ""
        return former.isEmpty
            ? ExternalSession.root(cwd: call.event.cwd, project: call.source.projectDirectory) : former
    }

    /// True for an id that no session has, and none had lately.
    func isNew(_ id: String) -> Bool { sessions[id] == nil && formerRoots[id] == nil }

    /// Marks the session as one that goes on after `/clear`; returns it, or `nil` where there is none.
    mutating func makeHeir(_ id: String, gate: Policy.Gate?) -> ExternalSession? {
        guard sessions[id] != nil else { return nil }
        sessions[id]!.isHeir = true
        sessions[id]!.gate = gate
        return sessions[id]
    }

    /// Sets the session's own gate; returns the session, or `nil` where there is none.
    mutating func set(_ gate: Policy.Gate?, session id: String) -> ExternalSession? {
        guard sessions[id] != nil else { return nil }
        sessions[id]!.gate = gate
        return sessions[id]
    }

    /// Notes the title that the session's transcript has.
    mutating func name(_ id: String, _ title: String) {
        guard sessions[id] != nil, sessions[id]!.title != title else { return }
        sessions[id]!.title = title
        unwritten.insert(id)
    }

    /// The sessions that changed since the last call, to be written: the latest with their tools, the others without.
    mutating func takeUnwritten() -> [ExternalSession] {
        defer { unwritten = [] }
        let changed = unwritten.compactMap { sessions[$0] }
        let latest = changed.sorted { ($0.lastActivity, $0.id) > ($1.lastActivity, $1.id) }
        return latest.prefix(Self.writtenHistories) + latest.dropFirst(Self.writtenHistories).map(\.withoutTools)
    }

    mutating func restore(_ session: ExternalSession, at now: Uptime) {
        sessions[session.id] = session
        heard[session.id] = now
        noteProcess(of: session)
    }

    private mutating func noteProcess(of session: ExternalSession) {
        guard let pid = session.claudePID, let started = session.claudeStartTime, claudes[pid] != started else {
            return
        }
        claudes[pid] = started
        claudeChanges.append(.claudeProcess(ProcessIdentity(pid: pid, startTime: started)))
    }

    /// Restores a process that an earlier run of the daemon knew; the process's session may have ended since.
    mutating func restore(_ process: ProcessIdentity) {
        claudes[process.pid] = process.startTime
    }

    mutating func forgetDeadProcesses(startTime: (Int32) -> UInt64?) {
        for (pid, started) in claudes where startTime(pid) != started {
            claudes[pid] = nil
            claudeChanges.append(.claudeEnded(ProcessIdentity(pid: pid, startTime: started)))
        }
    }

    /// The processes that were added or ended since the last call, to be written.
    mutating func takeClaudeChanges() -> [StoreChange] {
        defer { claudeChanges = [] }
        return claudeChanges
    }

    /// Adds a run to its session's history; false where the session is unknown or a run with this id is still running.
    mutating func start(_ run: ToolRun) -> Bool {
        guard sessions[run.sessionID] != nil else { return false }
        // Changed in place: a copy of the session would copy its whole history with each call.
        return Self.start(run, among: &sessions[run.sessionID]!.tools)
    }

    private static func start(_ run: ToolRun, among tools: inout [ToolRun]) -> Bool {
        guard !tools.contains(where: { $0.useID == run.useID && $0.endedAt == nil }) else { return false }
        tools.append(run)
        if tools.count > historyLimit { tools.removeFirst(historyLimit / 10) }
        return true
    }

    /// Ends the running tool with this id; `nil` where there is none.
    mutating func end(toolUse: String, session id: String, isError: Bool, at now: Timestamp) -> ToolRun? {
        guard let index = sessions[id]?.tools.lastIndex(where: { $0.useID == toolUse && $0.endedAt == nil }) else {
            return nil
        }
        sessions[id]!.tools[index].endedAt = now
        sessions[id]!.tools[index].isError = isError
        return sessions[id]!.tools[index]
    }

    /// True where the history has a run with this id, running or ended.
    func knows(toolUse: String, session id: String) -> Bool {
        sessions[id]?.tools.contains { $0.useID == toolUse } == true
    }

    /// The running tools of a session for which `matches` returns true.
    func running(session id: String, where matches: (ToolRun) -> Bool = { _ in true }) -> [ToolRun] {
        (sessions[id]?.tools ?? []).filter { $0.endedAt == nil && matches($0) }
    }

    /// The session to end before another is added; `nil` while there is room. Unverified sessions first, then the one
    /// that was inactive for longest.
    func surplus(where mayGo: (ExternalSession) -> Bool) -> ExternalSession? {
        guard sessions.count >= Self.limit else { return nil }
        return sessions.values.filter(mayGo).min { left, right in
            if left.isUnverified != right.isUnverified { return left.isUnverified }
            return (left.lastActivity, left.id) < (right.lastActivity, right.id)
        }
    }

    mutating func remove(_ id: String) -> ExternalSession? {
        guard let removed = sessions.removeValue(forKey: id) else { return nil }
        heard[id] = nil
        if formerRoots.updateValue(removed.root, forKey: id) == nil { formerOrder.append(id) }
        if formerOrder.count > Self.formerLimit { forgetRoots() }
        return removed
    }

    /// Drops an eighth of a full list, so that the array is not shifted with each end.
    private mutating func forgetRoots() {
        for id in formerOrder.prefix(Self.formerLimit / 8) { formerRoots[id] = nil }
        formerOrder.removeFirst(Self.formerLimit / 8)
    }

    /// Sessions whose Claude process has ended, or whose pid is another process's now.
    func abandoned(startTime: (Int32) -> UInt64?) -> [ExternalSession] {
        sessions.values.filter { $0.isAbandoned(startTime: startTime) }.sorted { $0.id < $1.id }
    }

    /// The session of a verified call, if the session's process has ended and the call names another process.
    func replaced(by call: HookCall, startTime: (Int32) -> UInt64?) -> ExternalSession? {
        guard call.source.isVerified, let pid = call.source.claudePID, let session = sessions[call.event.sessionID],
            let old = session.claudePID, pid != old, let started = session.claudeStartTime, startTime(old) != started
        else { return nil }
        return session
    }

    /// Sessions without a known process that sent no event for a day.
    func forgotten(at now: Uptime) -> [ExternalSession] {
        sessions.values.filter { session in
            guard session.claudeStartTime == nil, let last = heard[session.id] else { return false }
            return now.seconds(since: last) >= Self.forgottenAfter
        }.sorted { $0.id < $1.id }
    }

    func view(_ session: ExternalSession, pending: Int, at now: Timestamp) -> SessionView {
        let current = session.tools.last { $0.endedAt == nil }
        let idle = now.seconds(since: session.lastActivity) >= Self.staleAfter
        let state: SessionView.State =
            pending > 0 ? .permissionPending : current != nil ? .toolRunning : idle ? .stale : .active
        return SessionView(session: session, state: state, currentTool: current, pendingRequests: pending)
    }
}

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

    fileprivate init(_ call: HookCall, at now: Timestamp) {
        let (event, source) = (call.event, call.source)
        self.init(
            id: event.sessionID, cwd: event.cwd, root: "", transcriptPath: event.transcriptPath,
            permissionMode: event.permissionMode, startedAt: now, isAttended: source.isAttended,
            isUnverified: !source.isVerified)
    }

    /// Takes the fields that only a verified event may set. The root is set once and never changes, whatever later
    /// events say.
    fileprivate mutating func adopt(_ call: HookCall, startTime: (Int32) -> UInt64?) {
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
    fileprivate mutating func noteTurn(_ event: AgentEvent) {
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
