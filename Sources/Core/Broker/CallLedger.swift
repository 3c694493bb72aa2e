import OrderedJSON

/// The calls Claude announced with PreToolUse and has not finished. A PermissionRequest carries no id, so it is tied to
/// the oldest of them that looks the same; only here is what "the same" means.
package struct CallLedger {
    enum Outcome: Hashable {
        case allowedByPerson
        case allowedByRule
        case asked
        case held
        case passed
        case timedOut
    }

    struct Entry {
        let toolUseID: String
        let requestID: String?
        let agentID: String?
        let promptID: String?
        let cwd: String
        let toolName: String
        /// What Claude runs now: the input asked for, or the one a person put in its place.
        var input: KeptJSON
        var size: Int { input.size }
        var outcome: Outcome
        var isClaimed = false
        let isUnverified: Bool

        init(
            toolUseID: String, requestID: String?, agentID: String?, promptID: String?, cwd: String,
            toolName: String, input: KeptJSON, outcome: Outcome, isUnverified: Bool
        ) {
            self.toolUseID = toolUseID
            self.requestID = requestID
            self.agentID = agentID
            self.promptID = promptID
            self.cwd = cwd
            self.toolName = toolName
            self.input = input
            self.outcome = outcome
            self.isUnverified = isUnverified
        }

        /// How much a dialog is expected of the call: one still held has none yet, one that a person allowed has one only
        /// where the user's settings insist.
        fileprivate var claimOrder: Int {
            switch outcome {
            case .allowedByRule, .asked, .passed, .timedOut: 0
            case .allowedByPerson: 1
            case .held: 2
            }
        }
    }

    /// Calls of one session that are remembered; the oldest go first.
    package static let limit = 256
    /// Bytes of the inputs of all sessions. Beyond it the oldest calls of the fullest session go: who floods the ledger
    /// forgets his own.
    static let byteLimit = 64 << 20

    private var calls: [String: SessionCalls] = [:]
    private var bytes = 0

    mutating func add(_ entry: Entry, session: String) {
        change(session) { $0.add(entry) }
        while bytes > Self.byteLimit, let fullest = calls.max(by: { $0.value.bytes < $1.value.bytes }) {
            change(fullest.key) { $0.removeOldest(1) }
        }
    }

    /// What became of a question: only the call it was about. Claude's id does not tell: another call may have been announced
    /// under it since, and no answer to this one may count for that.
    mutating func settle(_ request: PermissionRequest, as outcome: Outcome, input: KeptJSON? = nil) {
        change(request.sessionID) { calls in
            guard let index = calls.list.lastIndex(where: { $0.isCall(of: request) }) else { return }
            calls.update(index) { entry in
                entry.outcome = outcome
                if let input { entry.input = input }
            }
        }
    }

    /// Ties a PermissionRequest to its call; the same call is never tied twice. Of several that look the same the one
    /// that a person allowed comes last, so that its allow is not given to another.
    mutating func claim(_ hook: PermissionRequestHook) -> Entry? {
        let (event, tool, source) = (hook.base.event, hook.base.tool, hook.base.source)
        let list = calls[event.sessionID]?.list ?? []
        let same = list.indices.filter { index in
            let entry = list[index]
            return !entry.isClaimed && entry.isUnverified == !source.isVerified
                && entry.agentID.hasSameBytes(as: event.agentID) && entry.promptID.hasSameBytes(as: event.promptID)
                && entry.cwd.hasSameBytes(as: event.cwd)
                && entry.toolName.hasSameBytes(as: tool.name) && entry.input == tool.kept
        }
        guard let index = same.min(by: { (list[$0].claimOrder, $0) < (list[$1].claimOrder, $1) }) else { return nil }
        calls[event.sessionID]?.update(index) { $0.isClaimed = true }
        return list[index]
    }

    /// The call runs or never will, as a verified event says.
    mutating func remove(toolUse: String, session: String) {
        remove(session: session) { $0.toolUseID == toolUse }
    }

    mutating func remove(_ request: PermissionRequest) {
        remove(session: request.sessionID) { $0.isCall(of: request) }
    }

    /// Drops the calls an event says are over.
    mutating func remove(session: String, where isOver: (Entry) -> Bool) {
        change(session) { $0.removeAll(where: isOver) }
    }

    private mutating func change(_ session: String, _ body: (inout SessionCalls) -> Void) {
        // In place: a list taken out would be copied for each call.
        let (growth, isEmpty) = calls[session, default: SessionCalls()].changed(body)
        bytes += growth
        if isEmpty { calls[session] = nil }
    }
}

/// The calls of one session, oldest first.
private struct SessionCalls {
    private(set) var list: [CallLedger.Entry] = []
    private(set) var bytes = 0
    /// Every id in the list, and some that were: what is not here need not be looked for.
    private var ids: Set<String> = []

    /// Takes the place of the same call. Of a full list an eighth goes, so that it is not moved up with each call.
    mutating func add(_ entry: CallLedger.Entry) {
        if !ids.insert(entry.toolUseID).inserted {
            removeAll { $0.toolUseID == entry.toolUseID && $0.isUnverified == entry.isUnverified }
            ids.insert(entry.toolUseID)
        }
        list.append(entry)
        bytes += entry.size
        if list.count > CallLedger.limit { removeOldest(CallLedger.limit / 8) }
    }

    /// Says by how many bytes it has grown, and whether nothing is left.
    mutating func changed(_ body: (inout SessionCalls) -> Void) -> (growth: Int, isEmpty: Bool) {
        let before = bytes
        body(&self)
        return (bytes - before, list.isEmpty)
    }

    mutating func update(_ index: Int, _ body: (inout CallLedger.Entry) -> Void) {
        bytes -= list[index].size
        body(&list[index])
        bytes += list[index].size
    }

    mutating func removeOldest(_ count: Int) {
        for entry in list.prefix(count) { bytes -= entry.size }
        list.removeFirst(count)
        forgetIDs()
    }

    mutating func removeAll(where isOver: (CallLedger.Entry) -> Bool) {
        let before = list.count
        list.removeAll(where: isOver)
        guard list.count < before else { return }
        bytes = list.reduce(0) { $0 + $1.size }
        forgetIDs()
    }

    private mutating func forgetIDs() {
        ids = Set(list.map(\.toolUseID))
    }
}

extension CallLedger.Entry {
    fileprivate func isCall(of request: PermissionRequest) -> Bool {
        requestID == request.id
    }
}
