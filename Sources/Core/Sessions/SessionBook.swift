import OrderedJSON

/// The Claude Code sessions we hear of: their roots, what they run, and when they are over.
struct SessionBook {
    private(set) var sessions: [String: ExternalSession] = [:]
    /// When each session was last heard of, or restored: what it did in the last moments of a daemon that was killed is
    /// not known.
    private var heard: [String: Uptime] = [:]
    /// Sessions whose last activity or tools the store does not know yet.
    private var unwritten: Set<String> = []
    /// The living Claude processes that hooks named, with their start times. They stay when their session ends or names
    /// another one: a process inside Claude can say so, and would not be inside any more.
    private(set) var claudes: [Int32: UInt64] = [:]
    /// What the store does not know yet of them.
    private var claudeChanges: [StoreChange] = []
    /// Roots of sessions that ended, for those that come back.
    private var formerRoots: [String: String] = [:]
    /// Their ids, the one that ended first in front.
    private var formerOrder: [String] = []

    /// Sessions known at a time: anybody on this machine can name a new one with each event.
    static let limit = 1000
    /// Tool calls remembered per session; of a full history the oldest tenth goes.
    static let historyLimit = 100
    /// Seconds without an event after which an idle session is stale.
    static let staleAfter: Double = 300
    /// Seconds without an event after which a session without a known process is forgotten.
    static let forgottenAfter: Double = 86_400
    /// Roots remembered of sessions that ended.
    static let formerLimit = 1000

    subscript(id: String) -> ExternalSession? { sessions[id] }

    /// Notes an event of the session and what the relay says of its surroundings. True where what the store keeps of
    /// the session has changed.
    mutating func observe(
        _ event: HookEvent, from source: HookSource, at now: Instant, startTime: (Int32) -> UInt64?
    ) -> Bool {
        let before = sessions[event.sessionID]
        unwritten.insert(event.sessionID)
        var session = before ?? ExternalSession(event, source: source, at: now.wall)
        session.lastActivity = now.wall
        heard[event.sessionID] = now.uptime
        if source.isVerified {
            if session.root.isEmpty { session.root = formerRoots[session.id] ?? "" }
            session.adopt(event, source: source, startTime: startTime)
            noteProcess(of: session)
        }
        sessions[event.sessionID] = session
        return before?.stored != session.stored
    }

    /// The root that the session has, or will have once it has observed the event.
    func root(for event: HookEvent, _ source: HookSource) -> String {
        let known = sessions[event.sessionID]?.root ?? ""
        guard source.isVerified, known.isEmpty else { return known }
        let former = formerRoots[event.sessionID] ?? ""
        return former.isEmpty ? ExternalSession.root(cwd: event.cwd, project: source.projectDirectory) : former
    }

    /// What happened in sessions since this was last asked, to be written.
    mutating func takeUnwritten() -> [ExternalSession] {
        defer { unwritten = [] }
        return unwritten.sorted().compactMap { sessions[$0] }
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

    /// A process that an earlier run of the daemon knew; its session may have ended since.
    mutating func restore(_ process: ProcessIdentity) {
        claudes[process.pid] = process.startTime
    }

    mutating func forgetDeadProcesses(startTime: (Int32) -> UInt64?) {
        for (pid, started) in claudes where startTime(pid) != started {
            claudes[pid] = nil
            claudeChanges.append(.claudeEnded(ProcessIdentity(pid: pid, startTime: started)))
        }
    }

    /// Processes that came and went since this was last asked, to be written.
    mutating func takeClaudeChanges() -> [StoreChange] {
        defer { claudeChanges = [] }
        return claudeChanges
    }

    mutating func start(_ run: ToolRun) -> Bool {
        guard sessions[run.sessionID] != nil else { return false }
        // In place: a session taken out would have its whole history copied for each call.
        return Self.start(run, among: &sessions[run.sessionID]!.tools)
    }

    private static func start(_ run: ToolRun, among tools: inout [ToolRun]) -> Bool {
        guard !tools.contains(where: { $0.useID == run.useID && $0.endedAt == nil }) else { return false }
        tools.append(run)
        if tools.count > historyLimit { tools.removeFirst(historyLimit / 10) }
        return true
    }

    /// Ends the run with this id; `nil` where none of that id is running.
    mutating func end(toolUse: String, session id: String, isError: Bool, at now: Timestamp) -> ToolRun? {
        guard let index = sessions[id]?.tools.lastIndex(where: { $0.useID == toolUse && $0.endedAt == nil }) else {
            return nil
        }
        sessions[id]!.tools[index].endedAt = now
        sessions[id]!.tools[index].isError = isError
        return sessions[id]!.tools[index]
    }

    /// Whether a run with this id is in the history, running or over.
    func knows(toolUse: String, session id: String) -> Bool {
        sessions[id]?.tools.contains { $0.useID == toolUse } == true
    }

    /// The running tools of a session that an event says are over.
    func running(session id: String, where matches: (ToolRun) -> Bool = { _ in true }) -> [ToolRun] {
        (sessions[id]?.tools ?? []).filter { $0.endedAt == nil && matches($0) }
    }

    /// The session to end before one more is taken in; `nil` while there is room. Those nobody vouches for go first,
    /// then those that said nothing for longest.
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

    /// Of a full list an eighth goes, so that it is not moved up with each end.
    private mutating func forgetRoots() {
        for id in formerOrder.prefix(Self.formerLimit / 8) { formerRoots[id] = nil }
        formerOrder.removeFirst(Self.formerLimit / 8)
    }

    /// Sessions whose Claude process is gone, or whose pid is another process by now.
    func abandoned(startTime: (Int32) -> UInt64?) -> [ExternalSession] {
        sessions.values.filter { session in
            guard let pid = session.claudePID, let started = session.claudeStartTime else { return false }
            return startTime(pid) != started
        }.sorted { $0.id < $1.id }
    }

    /// The session that a verified event is about, where its Claude process is gone and the event names another one.
    func replaced(by source: HookSource, in id: String, startTime: (Int32) -> UInt64?) -> ExternalSession? {
        guard source.isVerified, let pid = source.claudePID, let session = sessions[id], let old = session.claudePID,
            pid != old, let started = session.claudeStartTime, startTime(old) != started
        else { return nil }
        return session
    }

    /// Sessions that cannot be watched by their process and said nothing for a day.
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
    /// What the store has to know at once: everything but the times and the tool history, which change with every event
    /// and are written together from time to time.
    var stored: ExternalSession {
        var copy = self
        copy.tools = []
        copy.lastActivity = startedAt
        return copy
    }

    fileprivate init(_ event: HookEvent, source: HookSource, at now: Timestamp) {
        self.init(
            id: event.sessionID, cwd: event.cwd, root: "", transcriptPath: event.transcriptPath,
            permissionMode: event.permissionMode, startedAt: now, isAttended: source.isAttended,
            isUnverified: !source.isVerified)
    }

    /// Takes what only a verified event may set. The root is set once and never moves, whatever later events say.
    fileprivate mutating func adopt(_ event: HookEvent, source: HookSource, startTime: (Int32) -> UInt64?) {
        isUnverified = false
        isAttended = source.isAttended
        if !event.cwd.isEmpty { cwd = event.cwd }
        if !event.transcriptPath.isEmpty { transcriptPath = event.transcriptPath }
        if event.permissionMode != .unknown("") { permissionMode = event.permissionMode }
        if root.isEmpty { root = Self.root(cwd: event.cwd, project: source.projectDirectory) }
        if let pid = source.claudePID, pid != claudePID {
            claudePID = pid
            claudeStartTime = startTime(pid)
        }
    }

    /// The project's directory where it holds the first `cwd`, else that `cwd`.
    fileprivate static func root(cwd: String, project: String?) -> String {
        guard let project, project.hasPrefix("/") else { return cwd }
        let trimmed = project.count > 1 && project.hasSuffix("/") ? String(project.dropLast()) : project
        return cwd == trimmed || cwd.hasPrefix(trimmed == "/" ? "/" : trimmed + "/") ? trimmed : cwd
    }
}

extension HookEvent {
    var transcriptPath: String { raw["transcript_path"]?.stringValue ?? "" }
}
