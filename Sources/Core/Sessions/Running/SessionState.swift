/// The state machine of the sessions that the daemon runs: one process for each at most, one end for each prompt, one
/// answer for each question. Each input is a mutating call that takes the time and returns effects.
package struct SessionState: Sendable {
    package var limits: SessionLimits
    private(set) var sessions: [String: RunSession] = [:]
    /// The ends of the last prompts, so that the same id has the same answer.
    var ended = EndedPrompts()

    package init(limits: SessionLimits = SessionLimits()) {
        self.limits = limits
    }

    package subscript(id: String) -> RunSession? { sessions[id] }

    /// All known sessions, oldest first.
    package var all: [RunSession] {
        sessions.values.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
    }

    /// The ids of sessions that have a child.
    var living: [String] { all.filter(\.hasChild).map(\.id) }

    /// Starts a session, or the child of the parked one that has this conversation. Returns the session's id.
    package mutating func start(
        _ start: SessionStart, at now: Instant
    ) throws(SessionRefusal) -> (String, [SessionEffect]) {
        guard start.mode != .bypassPermissions || limits.allowsBypass else { throw .bypass }
        if let known = all.last(where: { $0.agentID == start.agentID && !$0.isOver }) {
            guard start.isResumed, known.life == .parked, known.workspaceID == start.workspaceID else {
                throw .alreadyRuns(session: known.id)
            }
            guard !start.hasOtherWriter else { throw .otherWriter }
            try checkRoom()
            let effects = update(known.id, at: now) { [limits] session in
                session.mode = start.mode
                session.model = start.model ?? session.model
                if !start.servers.isEmpty { session.servers = start.servers }
                return session.begin(at: now, limits: limits)
            }
            return (known.id, effects)
        }
        guard !start.hasOtherWriter else { throw .otherWriter }
        guard sessions[start.id] == nil else { throw .alreadyRuns(session: start.id) }
        try checkRoom()
        let effects = makeRoom(at: now)
        let session = RunSession(
            id: start.id, workspaceID: start.workspaceID, directory: start.directory, startedAt: now.wall,
            agentID: start.agentID, mode: start.mode, model: start.model, title: start.title, life: .parked, run: 0,
            hasConversation: start.isResumed, clocks: RunClocks(lastActivity: now.wall), servers: start.servers)
        sessions[start.id] = session
        return (
            start.id,
            effects
                + update(start.id, at: now) { [limits] in
                    $0.begin(forkedFrom: start.forkedFrom, at: now, limits: limits)
                }
        )
    }

    /// Refuses one child more than the limit.
    func checkRoom() throws(SessionRefusal) {
        let living = living
        guard living.count < limits.children else { throw .tooManySessions(living) }
    }

    /// Forgets the oldest session without a process where another would be one too many.
    private mutating func makeRoom(at now: Instant) -> [SessionEffect] {
        guard sessions.count >= limits.known, let oldest = all.first(where: { !$0.hasChild }) else { return [] }
        defer { sessions[oldest.id] = nil }
        guard !oldest.isOver else { return [] }
        return update(oldest.id, at: now) {
            $0.life = .ended(.forgotten)
            return []
        }
    }

    /// Changes a session, and adds what has to be written and told of the change.
    mutating func update(
        _ id: String, at now: Instant, _ change: (inout RunSession) -> [SessionEffect]
    ) -> [SessionEffect] {
        guard let before = sessions[id] else { return [] }
        var session = before
        let effects = change(&session)
        session.noteIdle(at: now.uptime)
        for case .promptEnded(_, let prompt, let end) in effects { ended.add(prompt, end, session: id) }
        sessions[id] = session
        guard session.withoutClocks != before.withoutClocks else { return effects }
        sessions[id]!.clocks.lastActivity = now.wall
        let (save, told) = (SessionEffect.save(sessions[id]!), SessionEffect.changed(sessions[id]!))
        // A child has to be known before it exists. All else is done first: if the daemon is killed between the two, the
        // next one does it again, which the child takes as once; an answer that was only written down would be lost.
        let first = effects.firstIndex(where: \.isSpawn) ?? effects.endIndex
        return effects[..<first] + [save] + effects[first...] + [told]
    }

    /// Takes in a session that an earlier daemon knew.
    mutating func insert(_ session: RunSession) {
        sessions[session.id] = session
    }
}

extension RunSession {
    var isOver: Bool { if case .ended = life { true } else { false } }

    /// Starts a child.
    /// - Parameter origin: the conversation with whose messages a new one begins.
    mutating func begin(forkedFrom origin: String? = nil, at now: Instant, limits: SessionLimits) -> [SessionEffect] {
        life = .starting
        run += 1
        projectSettings = nil
        // Allowed when the session began, perhaps, and not any more.
        if mode == .bypassPermissions, !limits.allowsBypass { mode = .default }
        clocks.readTo = 0
        clocks.keepsMuch = false
        clocks.lastRequest = 0
        clocks.firstRequest = 0
        clocks.traffic = ChildTraffic()
        clocks.due = now.uptime + limits.startSeconds
        return [
            .spawn(
                ChildLaunch(
                    session: id, run: run, directory: directory, agentID: agentID, isResumed: hasConversation,
                    forkedFrom: origin, mode: mode, model: model, effort: effort, servers: servers))
        ]
    }

    mutating func noteIdle(at now: Uptime) {
        guard phase == .idle, !hasBackgroundWork else {
            clocks.idleSince = nil
            return
        }
        clocks.idleSince = clocks.idleSince ?? now
    }

    /// An id for a request of ours to this child.
    mutating func nextRequest() -> String {
        clocks.lastRequest += 1
        let request = requestPrefix + "\(clocks.lastRequest)"
        clocks.traffic.ask(request)
        return request
    }

    func isOurs(_ request: String) -> Bool { request.hasPrefix(requestPrefix) }

    /// True for the id of a request that an earlier daemon wrote.
    func isEarlier(_ request: String) -> Bool {
        guard let number = Int64(request.dropFirst(requestPrefix.count)) else { return false }
        return number > 0 && number <= clocks.firstRequest
    }

    private var requestPrefix: String { "cdev-\(run)-" }
}

/// The ends of the last thousand prompts of each session.
struct EndedPrompts: Sendable {
    private var ends: [String: [String: PromptEnd]] = [:]
    private var order: [String: [String]] = [:]
    /// The agent knows by itself that older prompts ran: their ids are in its transcript.
    private static let most = 1000

    func end(of prompt: String, session: String) -> PromptEnd? { ends[session]?[prompt] }

    mutating func add(_ prompt: String, _ end: PromptEnd, session: String) {
        guard ends[session, default: [:]].updateValue(end, forKey: prompt) == nil else { return }
        order[session, default: []].append(prompt)
        guard order[session]!.count > Self.most else { return }
        for old in order[session]!.prefix(Self.most / 10) { ends[session]![old] = nil }
        order[session]!.removeFirst(Self.most / 10)
    }
}
