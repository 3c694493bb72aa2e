import OrderedJSON

/// The held requests, those that ended lately, and the indices to find them by.
struct RequestBook {
    private(set) var held: [String: HeldRequest] = [:]
    private var ended: [String: PermissionRequest] = [:]
    private var endedOrder: [String] = []
    private var endedBytes = 0
    private var endedByToolUse: [String: String] = [:]
    private var endedByCall: [EndedCall: String] = [:]
    /// Agents' ids of calls that requests of different calls have had.
    private var reusedToolUses: Set<String> = []
    /// The latest ended requests, by session, that have no agent's id of a call.
    private var endedUntied: [String: [EndedUntied]] = [:]
    /// Hashes of the held requests' inputs. Comparing two inputs of a megabyte takes long where they differ at the end.
    private var inputHashes: [String: Int] = [:]
    private var idsBySession: [String: Set<String>] = [:]
    private var idByToken: [String: String] = [:]
    private var idByToolUse: [String: Set<String>] = [:]
    private var deadlines = DeadlineQueue()

    /// The most ended requests that are kept, for repeated hooks, late answers and corrections.
    static let endedLimit = 4096
    /// The most bytes of the inputs of ended requests.
    static let endedByteLimit = 64 << 20
    /// The most requests of one session in `endedUntied`.
    static let untiedLimit = 16

    subscript(id: String) -> HeldRequest? { held[id] }

    var count: Int { held.count }

    /// The earliest time at which a held request is due; `nil` where none is held.
    mutating func nextDeadline() -> Uptime? {
        while let next = deadlines.first, !isDue(next) { deadlines.removeFirst() }
        return deadlines.first?.at
    }

    /// Ids of the held requests whose deadline, or whose wait for a relay, is over at `now`, at most `limit`; twice where
    /// both are.
    mutating func takeDue(at now: Uptime, limit: Int) -> [String] {
        var due: [String] = []
        while due.count < limit, let next = deadlines.first, next.at <= now {
            deadlines.removeFirst()
            if isDue(next) { due.append(next.id) }
        }
        return due
    }

    /// Makes room for so many held requests. They are large, so moving them each time the room doubles takes a third of
    /// their insertion.
    mutating func reserve(_ count: Int) {
        held.reserveCapacity(count)
        inputHashes.reserveCapacity(count)
        idByToolUse.reserveCapacity(count)
        idByToken.reserveCapacity(count)
    }

    mutating func insert(_ new: HeldRequest) {
        let request = new.request
        forgetEnded(request.id)
        noteReuse(request)
        held[request.id] = new
        inputHashes[request.id] = request.input.hashValue
        idsBySession[request.sessionID, default: []].insert(request.id)
        idByToolUse[request.toolUseID, default: []].insert(request.id)
        if let token = request.relayToken { idByToken[token] = request.id }
        schedule(new)
    }

    /// Changes a held request in place. Session, ids and token must not change, since the indices are left as they are.
    mutating func update(_ id: String, _ change: (inout HeldRequest) -> Void) {
        guard var changed = held.removeValue(forKey: id) else { return }
        let before = changed.orphanedUntil
        let wasElsewhere = changed.request.input.bytesElsewhere != nil
        change(&changed)
        if wasElsewhere { inputHashes[id] = changed.request.input.hashValue }
        held[id] = changed
        if before != changed.orphanedUntil { schedule(changed) }
    }

    /// Takes the request out of the held ones, and remembers it with its resolution.
    mutating func end(_ id: String, as request: PermissionRequest) {
        guard held.removeValue(forKey: id) != nil else { return }
        inputHashes[id] = nil
        forgetOpen(request)
        remember(request)
    }

    /// Keeps an ended request.
    mutating func remember(_ request: PermissionRequest) {
        forgetEnded(request.id)
        noteReuse(request)
        ended[request.id] = request
        endedOrder.append(request.id)
        endedBytes += request.input.size
        endedByToolUse[request.toolUseID] = request.id
        endedByCall[EndedCall(of: request)] = request.id
        if request.toolUseID == request.id { noteUntied(request) }
        if let token = request.relayToken { idByToken[token] = request.id }
        if endedOrder.count > Self.endedLimit || endedBytes > Self.endedByteLimit { evictOldest() }
    }

    func endedRequest(_ id: String) -> PermissionRequest? { ended[id] }

    mutating func updateEnded(_ id: String, _ change: (inout PermissionRequest) -> Void) -> PermissionRequest? {
        guard var request = ended[id] else { return nil }
        change(&request)
        ended[id] = request
        return request
    }

    func heldIDs(session: String) -> [String] {
        (idsBySession[session] ?? []).sorted { before($0, $1) }
    }

    func heldCount(session: String) -> Int {
        idsBySession[session]?.count ?? 0
    }

    /// The number of a session's held requests that count for a call from this source. What anybody can send takes no room
    /// of a verified sender.
    func heldCount(session: String, beside source: HookSource) -> Int {
        guard source.isVerified else { return heldCount(session: session) }
        return (idsBySession[session] ?? []).count { held[$0]?.request.isUnverified == false }
    }

    /// The number of held requests of unverified senders, in all sessions.
    var unverifiedCount: Int {
        held.values.count { $0.request.isUnverified }
    }

    /// In no order: any process of this machine can announce thousands of calls with one id.
    func heldIDs(toolUse: String) -> Set<String> { idByToolUse[toolUse] ?? [] }

    /// The oldest held request with this agent's id of a call for which `matches` returns true.
    func heldID(toolUse: String, where matches: (PermissionRequest) -> Bool) -> String? {
        oldest(of: heldIDs(toolUse: toolUse), where: matches)
    }

    /// The oldest held request with this agent's id and this input for which `matches` returns true.
    func heldID(toolUse: String, input: KeptJSON, where matches: (PermissionRequest) -> Bool) -> String? {
        oldest(of: heldIDs(toolUse: toolUse), input, where: matches)
    }

    /// The session's oldest held request with this input for which `matches` returns true.
    func heldID(session: String, input: KeptJSON, where matches: (PermissionRequest) -> Bool) -> String? {
        oldest(of: idsBySession[session] ?? [], input, where: matches)
    }

    private func oldest(
        of ids: Set<String>, _ input: KeptJSON, where matches: (PermissionRequest) -> Bool
    ) -> String? {
        guard !ids.isEmpty else { return nil }
        let hash = input.hashValue
        return oldest(of: ids.filter { inputHashes[$0] == hash }) { matches($0) && $0.input == input }
    }

    private func oldest(of ids: Set<String>, where matches: (PermissionRequest) -> Bool) -> String? {
        ids.filter { held[$0].map { matches($0.request) } ?? false }.min { before($0, $1) }
    }

    /// True where different calls have had this id, so that it does not say which of them is meant.
    func isReused(toolUse: String) -> Bool { reusedToolUses.contains(toolUse) }

    /// Notes where a request with the same agent's id is about another call. Any one held request is compared: until
    /// the id counts as reused, all that have it are the same call, and there may be thousands.
    private mutating func noteReuse(_ request: PermissionRequest) {
        let id = request.toolUseID
        guard !reusedToolUses.contains(id) else { return }
        let others = [idByToolUse[id]?.first.flatMap { held[$0]?.request }, endedRequest(toolUse: id)]
        let isReused = others.compactMap { $0 }.contains { other in
            !other.sessionID.hasSameBytes(as: request.sessionID) || !other.promptID.hasSameBytes(as: request.promptID)
                || !other.agentID.hasSameBytes(as: request.agentID) || other.input != request.input
                || !other.toolName.hasSameBytes(as: request.toolName) || !other.cwd.hasSameBytes(as: request.cwd)
        }
        if isReused { reusedToolUses.insert(id) }
    }

    func id(token: String) -> String? { idByToken[token] }

    /// The ended requests of a session with this input and without an agent's id of the call, the latest first.
    func endedUntied(session: String, input: KeptJSON) -> [PermissionRequest] {
        guard let untied = endedUntied[session] else { return [] }
        let hash = input.hashValue
        return untied.reversed().lazy.filter { $0.inputHash == hash }.compactMap { ended[$0.id] }
            .filter { $0.input == input }
    }

    /// The request with this agent's id of a call that ended last, of whatever session, for late answers.
    func endedRequest(toolUse: String) -> PermissionRequest? {
        endedByToolUse[toolUse].flatMap { ended[$0] }
    }

    /// The request of this call that ended last, for corrections.
    func endedRequest(toolUse: String, session: String) -> PermissionRequest? {
        endedByCall[EndedCall(session: session, toolUse: toolUse)].flatMap { ended[$0] }
    }

    private mutating func noteUntied(_ request: PermissionRequest) {
        let new = EndedUntied(id: request.id, inputHash: request.input.hashValue)
        endedUntied[request.sessionID] = ((endedUntied[request.sessionID] ?? []) + [new]).suffix(Self.untiedLimit)
    }

    mutating func forgetUntied(session: String) {
        endedUntied[session] = nil
    }

    private func before(_ left: String, _ right: String) -> Bool {
        guard let first = held[left]?.request, let second = held[right]?.request else { return left < right }
        return (first.createdAt, first.id) < (second.createdAt, second.id)
    }

    private func isDue(_ entry: DeadlineQueue.Entry) -> Bool {
        guard let request = held[entry.id] else { return false }
        return entry.at == request.due || entry.at == request.orphanedUntil
    }

    private mutating func schedule(_ request: HeldRequest) {
        // The deadlines of ended requests stay in the queue until they come first, and that may take a day.
        if deadlines.count > 1024 + 4 * held.count { rebuildDeadlines() }
        add(request)
    }

    private mutating func rebuildDeadlines() {
        deadlines = DeadlineQueue()
        for request in held.values { add(request) }
    }

    private mutating func add(_ new: HeldRequest) {
        deadlines.insert(.init(at: new.due, id: new.request.id))
        if let orphaned = new.orphanedUntil { deadlines.insert(.init(at: orphaned, id: new.request.id)) }
    }

    private mutating func forgetOpen(_ request: PermissionRequest) {
        idsBySession[request.sessionID]?.remove(request.id)
        if idsBySession[request.sessionID]?.isEmpty == true { idsBySession[request.sessionID] = nil }
        idByToolUse[request.toolUseID]?.remove(request.id)
        if idByToolUse[request.toolUseID]?.isEmpty == true { idByToolUse[request.toolUseID] = nil }
    }

    private mutating func forgetEnded(_ id: String) {
        guard drop(id) else { return }
        endedOrder.removeAll { $0 == id }
    }

    /// Drops the oldest ended requests, a quarter of the limits, so that the array is not shifted with each request.
    private mutating func evictOldest() {
        var gone = 0
        while gone < endedOrder.count,
            ended.count > Self.endedLimit / 4 * 3 || endedBytes > Self.endedByteLimit / 4 * 3
        {
            if let last = ended[endedOrder[gone]]?.toolUseID, endedByToolUse[last] == endedOrder[gone],
                idByToolUse[last] == nil
            {
                reusedToolUses.remove(last)
            }
            _ = drop(endedOrder[gone])
            gone += 1
        }
        endedOrder.removeFirst(gone)
    }

    /// Takes an ended request out of everything but `endedOrder`; false where there is none with this id.
    private mutating func drop(_ id: String) -> Bool {
        guard let request = ended.removeValue(forKey: id) else { return false }
        endedBytes -= request.input.size
        if let token = request.relayToken, idByToken[token] == id { idByToken[token] = nil }
        if endedByToolUse[request.toolUseID] == id { endedByToolUse[request.toolUseID] = nil }
        if endedByCall[EndedCall(of: request)] == id { endedByCall[EndedCall(of: request)] = nil }
        endedUntied[request.sessionID]?.removeAll { $0.id == id }
        if endedUntied[request.sessionID]?.isEmpty == true { endedUntied[request.sessionID] = nil }
        return true
    }
}

/// A call by its session and the agent's id: sessions may share ids, since some models number their calls anew.
private struct EndedCall: Hashable {
    let session: String
    let toolUse: String

    init(session: String, toolUse: String) {
        self.session = session
        self.toolUse = toolUse
    }

    init(of request: PermissionRequest) {
        self.init(session: request.sessionID, toolUse: request.toolUseID)
    }
}

/// An ended request without an agent's id of the call.
private struct EndedUntied {
    let id: String
    let inputHash: Int
}
