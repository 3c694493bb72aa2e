import OrderedJSON

/// The calls that agents announced with PreToolUse and have not finished. A PermissionRequest carries no id of its
/// call, so it is tied to the oldest call here that is the same in every field that both events have.
package struct CallLedger {
    enum Outcome: Hashable {
        case allowedByPerson
        case allowedByRule
        case asked
        case denied
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
        /// The input that would run now: that of the call, or the one that a person put in its place.
        var input: KeptJSON
        var size: Int { input.size }
        var outcome: Outcome
        /// The dialog that is tied to the call.
        fileprivate var claim: Claim?
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

        /// The order in which same calls are tied to a dialog. A call that a person allowed has a dialog only where the
        /// user's settings demand one, a held call has none yet, and a denied call only where its hook ended without
        /// the deny.
        fileprivate var claimOrder: Int {
            switch outcome {
            case .allowedByRule, .asked, .passed, .timedOut: 0
            case .allowedByPerson: 1
            case .held: 2
            case .denied: 3
            }
        }
    }

    /// A dialog that was tied to a call.
    fileprivate struct Claim {
        let relayToken: String?
        /// The outcome of the call at that time; `nil` where the dialog may be that of another call.
        let outcome: Outcome?
    }

    /// The most calls of one session; the oldest are dropped.
    package static let limit = 256
    /// The most bytes of the inputs of all sessions. Beyond it the oldest calls of the fullest session are dropped, so
    /// a session that floods the ledger loses its own calls.
    static let byteLimit = 64 << 20

    /// The most tokens of dialogs that were tied to no call.
    static let strangerLimit = 256

    private var calls: [String: SessionCalls] = [:]
    private var bytes = 0
    /// The relays' tokens of the last dialogs that were tied to no call, oldest first.
    private var strangers: [String] = []

    mutating func add(_ entry: Entry, session: String) {
        var entry = entry
        entry.input = shared(entry.input, session)
        change(session) { $0.add(entry) }
        while bytes > Self.byteLimit, let fullest = calls.max(by: { $0.value.bytes < $1.value.bytes }) {
            change(fullest.key) { $0.removeOldest(1) }
        }
    }

    /// Notes how the request of a call ended. The call is found by the request's id and not by the agent's id of the
    /// call: another call may have been announced with the same id since, and this outcome must not count for that
    /// call.
    mutating func settle(_ request: PermissionRequest, as outcome: Outcome, input: KeptJSON? = nil) {
        change(request.sessionID) { calls in
            guard let index = calls.list.lastIndex(where: { $0.isCall(of: request) }) else { return }
            let hasDropped = calls.hasDropped
            calls.update(index) { entry in
                entry.outcome = outcome == .allowedByPerson && hasDropped ? .asked : outcome
                if let input { entry.input = input }
            }
        }
    }

    /// Ties a PermissionRequest to its call; each call is tied once. Of several same calls those that a person allowed
    /// come later, so that the allow of one is not given to another. While another of them is held or was denied, such
    /// an allow is used up and counts for no dialog: the other call's connection may be broken, and the dialog be that
    /// call's. The dialog of a denied call is tied to no request.
    mutating func claim(_ hook: PermissionRequestHook) -> Entry? {
        let (session, token) = (hook.base.event.sessionID, hook.base.source.relayToken)
        let list = calls[session]?.list ?? []
        let input = shared(hook.base.tool.kept, session)
        let same = list.indices.filter { list[$0].isSame(as: hook.base, input) }
        if token != nil, let index = same.first(where: { list[$0].claim?.relayToken == token }) {
            return list[index].claimedAgain
        }
        if let token, strangers.contains(token) { return nil }
        let free = same.filter { list[$0].claim == nil }
        guard let index = free.min(by: { (list[$0].claimOrder, $0) < (list[$1].claimOrder, $1) }) else {
            noteStranger(token)
            return nil
        }
        let outcome = list[index].outcome
        let isUnclear =
            outcome == .denied || outcome == .allowedByPerson && free.contains { list[$0].mayHaveLostItsHook }
        calls[session]?.update(index) { $0.claim = Claim(relayToken: token, outcome: isUnclear ? nil : outcome) }
        return isUnclear ? nil : list[index]
    }

    /// Returns the same input in the place of a call that has it, so that comparing it with a hundred of them reads it once.
    private func shared(_ input: KeptJSON, _ session: String) -> KeptJSON {
        // A small input is compared in no time.
        guard input.parsedBytes > 0 else { return input }
        return calls[session]?.list.first { $0.input == input }?.input ?? input
    }

    /// Notes a dialog that was tied to no call: sent again, it is not that of a call that was announced since.
    private mutating func noteStranger(_ token: String?) {
        guard let token else { return }
        strangers.append(token)
        if strangers.count > Self.strangerLimit { strangers.removeFirst(Self.strangerLimit / 8) }
    }

    /// Removes a call that has run or never will.
    mutating func remove(toolUse: String, session: String) {
        remove(session: session) { $0.toolUseID == toolUse }
    }

    /// Removes the calls of a session for which `isOver` returns true.
    mutating func remove(session: String, where isOver: (Entry) -> Bool) {
        change(session) { $0.removeAll(where: isOver) }
    }

    private mutating func change(_ session: String, _ body: (inout SessionCalls) -> Void) {
        // Changed in place: a list that is taken out would be copied with each call.
        let (growth, isEmpty) = calls[session, default: SessionCalls()].changed(body)
        bytes += growth
        if isEmpty { calls[session] = nil }
    }
}

/// The calls of one session, oldest first.
private struct SessionCalls {
    private(set) var list: [CallLedger.Entry] = []
    private(set) var bytes = 0
    /// True once calls were dropped that may not be over.
    private(set) var hasDropped = false
    /// The ids of the calls in the list, and perhaps of some that were removed: the list need not be searched for an id
    /// that is not here.
    private var ids: Set<String> = []

    /// Adds a call, in place of one with the same id and verification. Of a full list the oldest eighth is dropped, so
    /// that the array is not shifted with each call.
    mutating func add(_ entry: CallLedger.Entry) {
        if !ids.insert(entry.toolUseID).inserted {
            removeAll { $0.toolUseID == entry.toolUseID && $0.isUnverified == entry.isUnverified }
            ids.insert(entry.toolUseID)
        }
        list.append(entry)
        bytes += entry.size
        if list.count > CallLedger.limit { removeOldest(CallLedger.limit / 8) }
    }

    /// Applies `body`; returns by how many bytes the inputs grew, and true where no call is left.
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

    /// Drops calls that may not be over. Their dialogs may still come, so an allow of one that is left or added later
    /// answers none.
    mutating func removeOldest(_ count: Int) {
        hasDropped = true
        for entry in list.prefix(count) { bytes -= entry.size }
        list.removeFirst(count)
        for index in list.indices where list[index].outcome == .allowedByPerson { list[index].outcome = .asked }
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
    /// The call for a dialog that is sent again; `nil` where the call went on since the dialog came. An allow that was
    /// given since is that of another call.
    fileprivate var claimedAgain: Self? { claim?.outcome == outcome ? self : nil }

    /// True where the connection of the call's hook may be broken, so that the agent asks by itself.
    fileprivate var mayHaveLostItsHook: Bool { outcome == .held || outcome == .denied }

    /// True where the call is the same as the hook's in every field that both events have.
    /// - Parameter input: that of the hook.
    fileprivate func isSame(as hook: BlockingHook, _ input: KeptJSON) -> Bool {
        let (event, tool) = (hook.event, hook.tool)
        return isUnverified == !hook.source.isVerified && agentID.hasSameBytes(as: event.agentID)
            && promptID.hasSameBytes(as: event.promptID) && cwd.hasSameBytes(as: event.cwd)
            && toolName.hasSameBytes(as: tool.name) && self.input == input
    }

    fileprivate func isCall(of request: PermissionRequest) -> Bool {
        requestID == request.id
    }
}
