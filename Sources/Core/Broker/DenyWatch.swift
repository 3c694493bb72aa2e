import OrderedJSON

/// The calls that were denied before they could run. If such a call runs although its hook has heard the deny, an alarm
/// is published.
struct DenyWatch {
    /// Agents of one session may number their calls alike, and any process of this machine may use a verified call's
    /// ids.
    struct Call: Hashable {
        let session: String
        let agent: String?
        let toolUse: String
        let isUnverified: Bool
    }

    private struct Entry {
        var deny: IgnoredDeny
        var isHeard: Bool
        /// The record, without its input, of a call that was denied without being held; `nil` once the hook has heard
        /// the deny.
        var unasked: PermissionRequest?
    }

    private var entries: [Call: Entry] = [:]
    /// Oldest first; may hold calls that are no longer in `entries`.
    private var order: [Call] = []
    private var callByRequest: [String: Call] = [:]

    /// The most calls that are watched; the oldest are dropped.
    static let limit = 4096

    /// Watches a denied call. Its run is an alarm once its hook has heard the deny.
    mutating func note(
        _ request: PermissionRequest, _ resolution: Resolution, isHeard: Bool = false, isUnasked: Bool = false
    ) {
        // A deny beside a dialog may come after the terminal's allow, and a run can be told from another only by the
        // agent's id of the call.
        guard resolution.decision == .deny, request.event == .preToolUse, request.toolUseID != request.id else {
            return
        }
        let call = Call(
            session: request.sessionID, agent: request.agentID, toolUse: request.toolUseID,
            isUnverified: request.isUnverified)
        entries[call] = Entry(
            deny: IgnoredDeny(request, resolution), isHeard: isHeard,
            unasked: isUnasked ? request.withoutInput : nil)
        order.append(call)
        callByRequest[request.id] = call
        if order.count > Self.limit { evict() }
    }

    /// Notes that the hook has heard the deny. Returns the record of a call that was denied without being held, to be
    /// written again: the next daemon has to know this too.
    mutating func heard(_ requestID: String) -> PermissionRequest? {
        guard let call = callByRequest[requestID], var entry = entries[call], entry.deny.requestID == requestID else {
            return nil
        }
        var record = entry.unasked
        record?.resolution?.isDelivered = true
        entry.isHeard = true
        entry.unasked = nil
        entries[call] = entry
        return record
    }

    /// Returns the deny that a run of this tool ignores, if there is one, and stops watching the call.
    mutating func ignored(by call: Call, tool: String) -> IgnoredDeny? {
        guard let entry = entries[call], entry.isHeard, entry.deny.toolName.hasSameBytes(as: tool) else { return nil }
        forget(call)
        return entry.deny
    }

    /// Forgets the earlier call with this id, since a new one has it: some models number their calls anew with each
    /// answer.
    mutating func begin(_ call: Call) { forget(call) }

    private mutating func forget(_ call: Call) {
        guard let entry = entries.removeValue(forKey: call) else { return }
        callByRequest[entry.deny.requestID] = nil
    }

    private mutating func evict() {
        let gone = order.prefix(Self.limit / 4)
        order.removeFirst(gone.count)
        let kept = Set(order)
        for call in gone where !kept.contains(call) { forget(call) }
    }
}

extension PermissionRequest {
    /// The request without its input; the store keeps the input that is in its row.
    fileprivate var withoutInput: PermissionRequest {
        var request = self
        request.input = KeptJSON(elsewhere: input.size)
        return request
    }
}

/// A call that ran though its hook was told to deny it.
package struct IgnoredDeny: Sendable, Hashable {
    package let requestID: String
    package let toolUseID: String
    package let toolName: String
    package let sessionID: String
    package let cwd: String
    package let deniedBy: Resolver
    package let deniedAt: Timestamp
    package let isUnverified: Bool

    package init(_ request: PermissionRequest, _ resolution: Resolution) {
        requestID = request.id
        toolUseID = request.toolUseID
        toolName = request.toolName
        sessionID = request.sessionID
        cwd = request.cwd
        deniedBy = resolution.resolver
        deniedAt = resolution.at
        isUnverified = request.isUnverified
    }

    /// From the fields of an event record.
    package init(
        requestID: String, toolUseID: String, toolName: String, sessionID: String, cwd: String, deniedBy: Resolver,
        deniedAt: Timestamp, isUnverified: Bool
    ) {
        self.requestID = requestID
        self.toolUseID = toolUseID
        self.toolName = toolName
        self.sessionID = sessionID
        self.cwd = cwd
        self.deniedBy = deniedBy
        self.deniedAt = deniedAt
        self.isUnverified = isUnverified
    }

    package var agent: Agent { Agent(sessionID: sessionID) }
}

extension BrokerState {
    /// The most alarms that are published in one minute; all are counted.
    package static let mostIgnoredDenies = 30

    /// Publishes an alarm where a tool has run although its hook had heard a deny.
    mutating func alarm(_ tool: ToolCall, _ useID: String, _ seen: Observation) -> [BrokerEffect] {
        let session = seen.event.sessionID
        let call = DenyWatch.Call(
            session: session, agent: seen.event.agentID, toolUse: useID, isUnverified: !seen.source.isVerified)
        let found = denies.ignored(by: call, tool: tool.name)
        guard let deny = found else { return [] }
        ignoredDenies += 1
        guard deniesAnnounced.admits(seen.now, most: Self.mostIgnoredDenies) else { return [] }
        return publish(.denyIgnored(deny), session: session, at: seen.now)
    }
}

/// Limits events of one kind to a number in each minute, counted from the first of them.
struct MinuteCount {
    private var count = 0
    private var since = Timestamp(milliseconds: 0)

    /// Counts one more event; false where it is over `most` in this minute.
    mutating func admits(_ now: Timestamp, most: Int) -> Bool {
        if !(0..<60).contains(now.seconds(since: since)) { (count, since) = (0, now) }
        count += 1
        return count <= most
    }
}
