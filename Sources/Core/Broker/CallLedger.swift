import OrderedJSON

/// The calls Claude announced with PreToolUse and has not finished. A PermissionRequest carries no id, so it is tied to
/// the oldest of them that looks the same; only here is what "the same" means.
struct CallLedger {
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
        var input: JSON {
            didSet { size = input.footprint }
        }
        private(set) var size: Int
        var outcome: Outcome
        var isClaimed = false
        let isUnverified: Bool

        init(
            toolUseID: String, requestID: String?, agentID: String?, promptID: String?, cwd: String,
            toolName: String, input: JSON, outcome: Outcome, isUnverified: Bool
        ) {
            self.toolUseID = toolUseID
            self.requestID = requestID
            self.agentID = agentID
            self.promptID = promptID
            self.cwd = cwd
            self.toolName = toolName
            self.input = input
            size = input.footprint
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
    static let limit = 256
    /// Bytes of the inputs of all sessions. Beyond it the oldest calls of the fullest session go: who floods the ledger
    /// forgets his own.
    static let byteLimit = 64 << 20

    private var entries: [String: [Entry]] = [:]
    private var bytes = 0

    mutating func add(_ entry: Entry, session: String) {
        change(session) { list in
            list.removeAll { $0.toolUseID == entry.toolUseID && $0.isUnverified == entry.isUnverified }
            list.append(entry)
            if list.count > Self.limit { list.removeFirst() }
        }
        while bytes > Self.byteLimit,
            let fullest = entries.max(by: { Self.bytes(of: $0.value) < Self.bytes(of: $1.value) })
        {
            change(fullest.key) { $0.removeFirst() }
        }
    }

    /// What became of a question: only the call it was about, whatever others carry the same id of Claude's.
    mutating func settle(_ request: PermissionRequest, as outcome: Outcome, input: JSON? = nil) {
        change(request.sessionID) { list in
            guard let index = list.lastIndex(where: { $0.isCall(of: request) }) else { return }
            list[index].outcome = outcome
            if let input { list[index].input = input }
        }
    }

    /// Ties a PermissionRequest to its call; the same call is never tied twice. Of several that look the same the one
    /// that a person allowed comes last, so that its allow is not given to another.
    mutating func claim(_ event: HookEvent, tool: ToolCall, isUnverified: Bool) -> Entry? {
        let list = entries[event.sessionID] ?? []
        let same = list.indices.filter { index in
            let entry = list[index]
            return !entry.isClaimed && entry.isUnverified == isUnverified && entry.agentID == event.agentID
                && entry.promptID == event.promptID && entry.cwd == event.cwd && entry.toolName == tool.name
                && entry.input == tool.input
        }
        guard let index = same.min(by: { (list[$0].claimOrder, $0) < (list[$1].claimOrder, $1) }) else { return nil }
        entries[event.sessionID]?[index].isClaimed = true
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

    private mutating func change(_ session: String, _ body: (inout [Entry]) -> Void) {
        var list = entries.removeValue(forKey: session) ?? []
        bytes -= Self.bytes(of: list)
        body(&list)
        bytes += Self.bytes(of: list)
        if !list.isEmpty { entries[session] = list }
    }

    private static func bytes(of list: [Entry]) -> Int {
        list.reduce(0) { $0 + $1.size }
    }
}

extension CallLedger.Entry {
    fileprivate func isCall(of request: PermissionRequest) -> Bool {
        toolUseID == request.toolUseID && isUnverified == request.isUnverified
    }
}
