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
    private var formerRoots: [String: FormerRoot] = [:]
    /// Ids of these sessions, in the order in which they ended.
    private var formerOrder: [String] = []

    private struct FormerRoot {
        let path: String
        let isOfThisMachine: Bool
    }

    /// The most sessions of this machine at a time, and as many others: any sender can name a new session with each
    /// event.
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
            if call.source.isOfThisMachine, !session.isOfThisMachine { session.takeOver() }
            if session.root.isEmpty { session.root = formerRoot(for: call) }
            session.adopt(call, startTime: startTime)
            noteProcess(of: session)
        }
        session.noteTurn(event)
        sessions[event.sessionID] = session
        return before?.stored != session.stored
    }

    /// The root that the session has, or will have after `observe` of the event.
    func root(for call: HookCall) -> String {
        let session = sessions[call.event.sessionID]
        let isTakenOver = call.source.isOfThisMachine && session?.isOfThisMachine == false
        let known = isTakenOver ? "" : session?.root ?? ""
        guard call.source.isVerified, known.isEmpty else { return known }
        let former = formerRoot(for: call)
        return former.isEmpty
            ? ExternalSession.root(cwd: call.event.cwd, project: call.source.projectDirectory) : former
    }

    /// The root of the session before it ended; `""` if it is not known, or a device told it and this machine asks.
    private func formerRoot(for call: HookCall) -> String {
        guard let former = formerRoots[call.event.sessionID], former.isOfThisMachine || !call.source.isOfThisMachine
        else { return "" }
        return former.path
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

    /// The session to end before this source adds another; `nil` while there is room. Sessions of this machine make room
    /// for each other only, and the others too. Unverified sessions go first, then the one that was inactive for longest.
    func surplus(for source: HookSource, where mayGo: (ExternalSession) -> Bool) -> ExternalSession? {
        guard sessions.count >= Self.limit else { return nil }
        let rivals = sessions.values.filter { $0.isOfThisMachine == source.isOfThisMachine }
        guard rivals.count >= Self.limit else { return nil }
        return rivals.filter(mayGo).min { left, right in
            if left.isUnverified != right.isUnverified { return left.isUnverified }
            return (left.lastActivity, left.id) < (right.lastActivity, right.id)
        }
    }

    mutating func remove(_ id: String) -> ExternalSession? {
        guard let removed = sessions.removeValue(forKey: id) else { return nil }
        heard[id] = nil
        noteRoot(of: removed)
        if formerOrder.count > Self.formerLimit { forgetRoots() }
        return removed
    }

    /// A device's end of a session does not replace what this machine told of it.
    private mutating func noteRoot(of session: ExternalSession) {
        guard let before = formerRoots[session.id] else {
            formerOrder.append(session.id)
            formerRoots[session.id] = FormerRoot(path: session.root, isOfThisMachine: session.isOfThisMachine)
            return
        }
        guard session.isOfThisMachine || !before.isOfThisMachine else { return }
        formerRoots[session.id] = FormerRoot(path: session.root, isOfThisMachine: session.isOfThisMachine)
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
